"""Pictures of positions: drawn by workers, each once though several ask for it, and kept within a number of bytes."""

import asyncio
import hashlib
from collections import OrderedDict
from dataclasses import dataclass

import orjson

from triskele.core.draw import Theme
from triskele.core.scene import Scene
from triskele.server.engines import table_jobs
from triskele.server.engines.scheduler import Scheduler


@dataclass(eq=False)
class _Drawing:
    """A picture that is being drawn, and the number of requests that wait for it."""

    task: "asyncio.Task[bytes]"
    waiting: int = 0


class Pictures:
    """Draws scenes, and keeps what was asked for last."""

    def __init__(self, scheduler: Scheduler, cache_bytes: int) -> None:
        """Draw on the workers of ``scheduler``; keep at most ``cache_bytes`` of pictures."""
        self._scheduler = scheduler
        self._cache_bytes = cache_bytes
        self._kept: OrderedDict[bytes, bytes] = OrderedDict()
        self._drawing: dict[bytes, _Drawing] = {}
        self.kept_bytes = 0
        """The size of all pictures that are kept."""

    async def draw(self, visitor: str, scene: Scene, theme: Theme, width: int | None = None) -> bytes:
        """Return a scene as a PNG ``width`` pixels wide, without a width as SVG; raises what a job may."""
        # What is drawn follows from the scene alone, so equal scenes of different tables share a picture.
        key = hashlib.sha256(orjson.dumps([scene.data(), theme, width])).digest()
        if key in self._kept:
            self._kept.move_to_end(key)
            return self._kept[key]
        drawing = self._drawing.get(key)
        if drawing is None:
            task = asyncio.create_task(self._draw(key, visitor, scene, theme, width))
            drawing = self._drawing[key] = _Drawing(task)
        drawing.waiting += 1
        try:
            return await asyncio.shield(drawing.task)
        finally:
            drawing.waiting -= 1
            if not drawing.waiting:
                drawing.task.cancel()  # nobody waits for it any more; does nothing to one that is done
                if self._drawing.get(key) is drawing:
                    del self._drawing[key]

    async def _draw(self, key: bytes, visitor: str, scene: Scene, theme: Theme, width: int | None) -> bytes:
        if width is None:
            drawn = await self._scheduler.run(visitor, table_jobs.draw_svg, scene, theme, urgent=True)
        else:
            drawn = await self._scheduler.run(visitor, table_jobs.draw_png, scene, theme, width)
        self._keep(key, drawn)
        return drawn

    def _keep(self, key: bytes, drawn: bytes) -> None:
        self._kept[key] = drawn
        self.kept_bytes += len(drawn)
        while self.kept_bytes > self._cache_bytes:
            self.kept_bytes -= len(self._kept.popitem(last=False)[1])
