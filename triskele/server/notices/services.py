"""The services of notices, made together, started and stopped together."""

from triskele.server.mail import Mailer
from triskele.server.notices.dispatcher import Dispatcher
from triskele.server.notices.keys import NoticeKeys
from triskele.server.notices.preferences import HOOK, MAIL, PUSH, Way
from triskele.server.notices.senders import HookSender, MailSender, PushSender, Sender
from triskele.server.notices.service import NoticeService
from triskele.server.notices.short_time import ShortTime
from triskele.server.notices.upkeep import NoticeUpkeep
from triskele.server.notices.web_client import WebClient
from triskele.server.settings import Settings
from triskele.server.tables.service import TableService


class NoticeServices:
    """All that has to do with notices in one server process."""

    def __init__(self, settings: Settings, tables: TableService, mailer: Mailer) -> None:
        """Send mail with ``mailer``."""
        assert settings.secret is not None
        storage, limits = tables.storage, settings.limits
        self.keys = NoticeKeys(settings.secret, *settings.old_secrets)
        self.client = WebClient(limits.notice_seconds, settings.private_targets)
        self.service = NoticeService(tables)
        self.upkeep = NoticeUpkeep(storage, self.keys, self.client, limits.push_subscriptions)
        self.short_time = ShortTime(tables, limits.notice_short_hours)
        senders: dict[Way, Sender] = {
            PUSH: PushSender(storage, self.client, self.keys, settings),
            MAIL: MailSender(mailer, self.keys, settings),
            HOOK: HookSender(storage, self.client, self.keys, settings),
        }
        self.dispatcher = Dispatcher(storage, senders, limits, alone=settings.bus is None)
        self.service.listeners.append(lambda visitors: self.dispatcher.wake())

    async def delete_old(self) -> None:
        """Delete what nobody needs any longer."""
        await self.dispatcher.delete_old()
        await self.upkeep.delete_old()

    async def stop(self) -> None:
        """Stop, after the loop of the dispatcher has ended."""
        self.service.stop()
        await self.dispatcher.stop()
