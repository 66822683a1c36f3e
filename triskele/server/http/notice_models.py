"""Models of the requests and answers about notices."""

from typing import Annotated, Literal

from pydantic import BaseModel, Field, StrictInt, StrictStr

from triskele.server.http.models import Strict
from triskele.server.notices.preferences import WAYS, ZONE_LIMIT, Way
from triskele.server.notices.web_client import LONGEST_URL
from triskele.server.tables.matters import KINDS, Kind

Hour = Annotated[StrictInt, Field(ge=0, le=23)]
Ways = Annotated[list[Way], Field(max_length=len(WAYS))]
Url = Annotated[StrictStr, Field(min_length=1, max_length=LONGEST_URL)]
KeyText = Annotated[StrictStr, Field(min_length=1, max_length=100)]


class NoticeShown(BaseModel):
    """A notice: what it is about, the game and who else plays (``title``), and what there is to say (``text``).

    ``kind``: my ``turn``, my ``time`` runs short, an ``offer`` (``detail``: ``draw``, ``undo``, ``rematch``), a game of
    mine has ``begun`` or ``ended``.
    """

    id: str
    kind: Kind
    detail: str
    table: str
    seat: int
    at: int
    game: str
    title: str
    text: str


class NoticesShown(BaseModel):
    """What I have not seen yet, the newest first; 50 at most."""

    count: int
    notices: list[NoticeShown]


class SeenAsked(Strict):
    """What I have seen: the notices about a table, or all."""

    table: Annotated[StrictStr, Field(max_length=64)] | None = None


class Preferences(Strict):
    """What I want to be told by which ways, and when.

    ``quiet``: from and to which hour of the day nothing is sent; ``digest``: by which ways notices come together once a
    day, at ``hour``; ``zone``: the name of the time zone of these hours.
    """

    ways: Annotated[dict[Kind, Ways], Field(max_length=len(KINDS))]
    quiet: tuple[Hour, Hour] | None = None
    zone: Annotated[StrictStr, Field(max_length=ZONE_LIMIT)] = "UTC"
    digest: Ways = Field(default_factory=list)
    hour: Hour = 8


class PreferencesShown(Preferences):
    """My preferences; ``language``: the one in which notices are written."""

    language: str | None


class BrowserShown(BaseModel):
    """A browser that gets push messages; ``current``: this one."""

    id: str
    agent: str
    created: int
    current: bool


class HookShown(BaseModel):
    """My web hook, without its secret."""

    url: str
    created: int


class NoticeSettingsShown(BaseModel):
    """All that I have chosen about notices.

    ``mail``: whether there is a confirmed address; ``push_key``: the server's public key, for ``PushManager``.
    """

    preferences: PreferencesShown
    browsers: list[BrowserShown]
    hook: HookShown | None
    mail: Literal["none", "unconfirmed", "confirmed", "not-offered"]
    push_key: str


class PushKeys(Strict):
    """The keys of a push subscription."""

    p256dh: KeyText
    auth: Annotated[StrictStr, Field(min_length=1, max_length=40)]


class PushAsked(Strict):
    """A push subscription of this browser, and the key of the server that it was made with."""

    endpoint: Url
    keys: PushKeys
    server_key: KeyText


class PushRemoved(Strict):
    """The browser that is to get no more push messages."""

    id: Annotated[StrictStr, Field(max_length=16)]


class HookAsked(Strict):
    """Where notices are to be posted."""

    url: Url


class HookMade(BaseModel):
    """The secret that signs what is posted: it is shown this once."""

    secret: str
