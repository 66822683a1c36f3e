"""The database schema. A table's log is appended to and never rewritten."""

from collections.abc import Iterable

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    Double,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)

HEAD = "0009"
"""The newest migration."""

metadata = MetaData()

tables = Table(
    "tables",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("game", String(64), nullable=False),
    Column("options", Text, nullable=False),
    Column("opened", BigInteger, nullable=False),
    Column("opener", String(32), nullable=False),
    Column("private", Boolean, nullable=False),
    Column("rated", Boolean, nullable=False),
    Column("series", String(8), nullable=False),
    Column("dice_secret", String(64)),
    Column("first_turn", Integer),
    Column("over", Boolean, nullable=False),
    Column("winners", Integer),
    Column("clock", String(64)),
    Index("tables_on", "over", "opened"),
)
"""One row a table. Nothing in it changes, apart from ``over`` and ``winners`` (their seats as bits) at the end.

``clock`` is the text of the time control, null without one.
"""


def seat_bits(seats: Iterable[int]) -> int:
    """Return seats as a bit mask."""
    return sum(1 << seat for seat in seats)


seats = Table(
    "seats",
    metadata,
    Column("table_id", String(16), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("kind", String(8), nullable=False),
    Column("level", Integer),
    Column("name", String(100), nullable=False),
    sqlite_with_rowid=False,
)

holders = Table(
    "holders",
    metadata,
    Column("table_id", String(16), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("visitor", String(32), primary_key=True),
    Index("holders_visitor", "visitor"),
    sqlite_with_rowid=False,
)
"""The visitors who hold a seat; seat -1: those who may watch; seat -2: those who took the table off their list."""

log = Table(
    "log",
    metadata,
    Column("table_id", String(16), primary_key=True),
    Column("seq", Integer, primary_key=True),
    Column("kind", String(8), nullable=False),
    Column("seat", Integer),
    Column("body", Text, nullable=False),
    Column("time", BigInteger, nullable=False),
    Column("turn", Integer),
    Column("moves", Integer, nullable=False),
    Column("charged", BigInteger),
    Column("lag", Integer),
    sqlite_with_rowid=False,
)
"""The log. ``turn`` (the seat to act after the entry) and ``moves`` (the number of moves then) serve lists of tables.

``charged``: the milliseconds by which the entry charged the clock that ran until then, null if none did; ``lag``: how
much lag was given back in that.

Two processes cannot write the same ``seq``: the primary key makes the second one fail with a conflict. Neither can a
``seq`` be left out: a trigger (migration 0003) refuses a row whose predecessor is not there.
"""

chat = Table(
    "chat",
    metadata,
    Column("table_id", String(16), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("seat", Integer, nullable=False),
    Column("body", Text, nullable=False),
    Column("time", BigInteger, nullable=False),
    Column("writer", String(32)),
    Column("name", String(100), nullable=False, server_default=""),
    Index("chat_writer", "writer"),
    sqlite_with_rowid=False,
)
"""What players said. ``writer`` is the visitor whose the line is, whoever holds the seat later, and ``name`` what they
called themselves then; it goes with their account."""

deadlines = Table(
    "deadlines",
    metadata,
    Column("table_id", String(16), primary_key=True),
    Column("due", BigInteger, nullable=False),
    Index("deadlines_due", "due"),
)
"""For games over days, when the clock that runs may be out of time: it is not earlier, but may turn out to be later."""

heartbeats = Table(
    "heartbeats",
    metadata,
    Column("process", String(16), primary_key=True),
    Column("time", BigInteger, nullable=False),
    Column("next", BigInteger, nullable=False),
    Column("stopped", Boolean, nullable=False),
)
"""When each process of the server was alive last, until when it will say so again, and whether it was stopped."""

outages = Table(
    "outages",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=True),
    Column("since", BigInteger, nullable=False),
    Column("until", BigInteger, nullable=False),
)
"""When the server was down, so that no clock ran. It is appended to and never rewritten; rows may overlap."""

vacations = Table(
    "vacations",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=True),
    Column("visitor", String(32), nullable=False),
    Column("since", BigInteger, nullable=False),
    Column("until", BigInteger, nullable=False),
    Index("vacations_visitor", "visitor"),
)
"""When visitors are away, so that their clocks in games over days rest; one that ends early gets that ``until``."""

conditional_moves = Table(
    "conditional_moves",
    metadata,
    Column("table_id", String(16), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("at", Integer, nullable=False),
    Column("lines", Text, nullable=False),
)
"""What a seat will answer to what: lines of moves (JSON) after the first ``at`` moves. Only its holders see it."""

sanctions = Table(
    "sanctions",
    metadata,
    Column("kind", String(8), primary_key=True),
    Column("target", String(64), primary_key=True),
    Column("since", BigInteger, nullable=False),
    Column("until", BigInteger),
    Column("reason", Text, nullable=False),
)
"""Who is silenced or banned: a visitor, an address or a network, until a time or for good (null)."""

audit = Table(
    "audit",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=True),
    Column("time", BigInteger, nullable=False),
    Column("actor", String(100), nullable=False),
    Column("action", String(16), nullable=False),
    Column("target", String(64), nullable=False),
    Column("detail", Text, nullable=False),
)
"""What hosts and moderators did; ``detail`` is JSON. It is appended to and never rewritten.

Accounts are named by their visitor in ``actor`` and ``target``, so that a deleted one leaves no name here. Another
``actor`` is the host's user."""

accounts = Table(
    "accounts",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("visitor", String(32), nullable=False, unique=True),
    Column("name", String(40), nullable=False),
    Column("folded", String(200), unique=True),
    Column("skeleton", String(400), unique=True),
    Column("bot", Boolean, nullable=False),
    Column("owner", String(16)),
    Column("moderator", Boolean, nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("deleted", BigInteger),
    Column("password", String(200)),
    Column("mail", String(254)),
    Column("mail_confirmed", BigInteger),
    Column("language", String(8), nullable=False),
    Column("learned", Text, nullable=False),
    Index("accounts_mail", "mail"),
    Index("accounts_owner", "owner"),
)
"""One row an account. ``folded`` and ``skeleton`` make names unique: in any case of letters, and among look-alikes.

``owner`` is the account that a bot belongs to, ``learned`` the progress in lessons and puzzles as JSON. Of a deleted
account the row stays, without anything that tells who it was, so that its visitor is never somebody else.
"""

passkeys = Table(
    "passkeys",
    metadata,
    Column("credential", String(1400), primary_key=True),
    Column("account", String(16), nullable=False, index=True),
    Column("public_key", Text, nullable=False),
    Column("sign_count", BigInteger, nullable=False),
    Column("name", String(40), nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("used", BigInteger),
)
"""The passkeys (WebAuthn credentials) of accounts; ids and keys in base64url."""

sessions = Table(
    "sessions",
    metadata,
    Column("hash", String(64), primary_key=True),
    Column("id", String(16), nullable=False, unique=True),
    Column("account", String(16), nullable=False, index=True),
    Column("created", BigInteger, nullable=False),
    Column("seen", BigInteger, nullable=False),
    Column("proved", BigInteger, nullable=False),
    Column("address", String(64), nullable=False),
    Column("agent", String(200), nullable=False),
)
"""Where accounts are signed in. ``hash`` is of the cookie's secret value; ``proved`` is when the person last signed in
or said the password: what only the person may change needs a recent one."""

tokens = Table(
    "tokens",
    metadata,
    Column("hash", String(64), primary_key=True),
    Column("id", String(16), nullable=False, unique=True),
    Column("account", String(16), nullable=False, index=True),
    Column("name", String(40), nullable=False),
    Column("scopes", String(64), nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("expires", BigInteger),
    Column("used", BigInteger),
)
"""Tokens with which programs act for an account; ``scopes`` are names with blanks between them."""

mail_links = Table(
    "mail_links",
    metadata,
    Column("hash", String(64), primary_key=True),
    Column("kind", String(8), nullable=False),
    Column("account", String(16), nullable=False, index=True),
    Column("mail", String(254), nullable=False),
    Column("expires", BigInteger, nullable=False),
)
"""Links that were sent by mail and not used yet: to confirm an address, or to set a new password."""

invitations = Table(
    "invitations",
    metadata,
    Column("hash", String(64), primary_key=True),
    Column("id", String(16), nullable=False, unique=True),
    Column("note", String(100), nullable=False),
    Column("uses", Integer, nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("expires", BigInteger),
    CheckConstraint("uses >= 0", name="invitations_uses"),
)
"""Invitation codes, and how many accounts can still be made with them: the check refuses one too many."""

spent = Table(
    "spent",
    metadata,
    Column("hash", String(64), primary_key=True),
    Column("expires", BigInteger, nullable=False),
)
"""What may be used once and was: links of mails, challenges of passkeys. The primary key refuses a second use."""

aversions = Table(
    "aversions",
    metadata,
    Column("visitor", String(32), primary_key=True),
    Column("kind", String(8), primary_key=True),
    Column("other", String(32), primary_key=True),
    Column("since", BigInteger, nullable=False),
    Index("aversions_other", "other"),
)
"""Whom a visitor does not want to read (``mute``) or to play with (``block``)."""

reports = Table(
    "reports",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=True),
    Column("time", BigInteger, nullable=False),
    Column("reporter", String(32), nullable=False),
    Column("visitor", String(32), nullable=False),
    Column("table_id", String(16)),
    Column("why", String(16), nullable=False),
    Column("body", Text, nullable=False),
    Column("closed", BigInteger),
    Column("closed_by", String(100)),
    Column("answer", Text),
    Index("reports_open", "closed", "number"),
)
"""What visitors report about others, and what moderators made of it."""

annulled = Table(
    "annulled",
    metadata,
    Column("table_id", String(16), primary_key=True),
    Column("time", BigInteger, nullable=False),
)
"""Games whose result a moderator has annulled: they count for nobody."""

results = Table(
    "results",
    metadata,
    Column("table_id", String(16), primary_key=True),
    Column("game", String(64), nullable=False),
    Column("pace", String(8), nullable=False),
    Column("field", String(8), nullable=False),
    Column("time", BigInteger, nullable=False),
    Column("players", Text, nullable=False),
    Column("places", Text, nullable=False),
    Index("results_pool", "game", "pace", "field", "time", "table_id"),
    Index("results_time", "time"),
)
"""The results of rated games, written once each and never changed: visitors and their places, as JSON.

A rated game that counts for nobody (a host has ended it, say) has a row without players, so that it is looked at once.
They stay when the table is deleted.
"""

rating_steps = Table(
    "rating_steps",
    metadata,
    Column("table_id", String(16), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("game", String(64), nullable=False),
    Column("pace", String(8), nullable=False),
    Column("field", String(8), nullable=False),
    Column("time", BigInteger, nullable=False),
    Column("visitor", String(32), nullable=False),
    Column("value", Double, nullable=False),
    Column("deviation", Double, nullable=False),
    Column("volatility", Double, nullable=False),
    Column("games", Integer, nullable=False),
    Index("rating_steps_visitor", "visitor", "game", "pace", "field", "time"),
    Index("rating_steps_pool", "game", "pace", "field", "time"),
)
"""The rating of each player after each result. It follows from ``results`` and can be computed again."""

ratings = Table(
    "ratings",
    metadata,
    Column("game", String(64), primary_key=True),
    Column("pace", String(8), primary_key=True),
    Column("field", String(8), primary_key=True),
    Column("visitor", String(32), primary_key=True),
    Column("value", Double, nullable=False),
    Column("deviation", Double, nullable=False),
    Column("volatility", Double, nullable=False),
    Column("games", Integer, nullable=False),
    Column("time", BigInteger, nullable=False),
    Index("ratings_value", "game", "pace", "field", "value"),
    Index("ratings_visitor", "visitor"),
)
"""The last step of each player in each pool."""

rating_pools = Table(
    "rating_pools",
    metadata,
    Column("game", String(64), primary_key=True),
    Column("pace", String(8), primary_key=True),
    Column("field", String(8), primary_key=True),
    Column("version", String(16), nullable=False),
)
"""The version of a pool's ratings, another one after each write: whoever computed from an older one writes nothing."""

notices = Table(
    "notices",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("visitor", String(32), nullable=False),
    Column("table_id", String(16), nullable=False, index=True),
    Column("kind", String(8), nullable=False),
    Column("detail", String(8), nullable=False),
    Column("seat", Integer, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("seen", BigInteger),
    Column("told", BigInteger),
    UniqueConstraint("visitor", "table_id", "kind", "detail", name="notices_matter"),
    Index("notices_told", "told", "at"),
)
"""What visitors are told about their games, from the time ``at`` on: one row a matter, deleted when the matter is over.

``seen``: when the person looked at the table; ``told``: when it was decided by which ways it is sent. They are written
with the entries of the log that cause them.
"""

deliveries = Table(
    "deliveries",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("account", String(16), nullable=False),
    Column("way", String(8), nullable=False),
    Column("target", String(16), nullable=False),
    Column("notice", String(32), nullable=False),
    Column("role", String(8), nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("tries", Integer, nullable=False),
    Column("claim", String(16)),
    Column("until", BigInteger),
    Column("done", BigInteger),
    UniqueConstraint("account", "way", "target", "notice", name="deliveries_once"),
    Index("deliveries_due", "done", "role", "at"),
    Index("deliveries_notice", "notice"),
    Index("deliveries_claim", "claim"),
)
"""The queue of notices that leave the server: what is sent by which way, when, and who sends it now.

``role`` is ``single``, ``digest`` (one message of several notices), or ``part`` (a notice that goes with a digest). A
process claims rows ``until`` a time; what a process that died has claimed is another's then. ``done`` rows stay as long
as the notice, so that nothing is sent twice.
"""

notice_settings = Table(
    "notice_settings",
    metadata,
    Column("account", String(16), primary_key=True),
    Column("body", Text, nullable=False),
)
"""What each account wants to be told by which way, and when, as JSON; without a row what everybody gets."""

push_subscriptions = Table(
    "push_subscriptions",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("account", String(16), nullable=False, index=True),
    Column("session", String(16), nullable=False),
    Column("hash", String(64), nullable=False, unique=True),
    Column("endpoint", Text, nullable=False),
    Column("p256dh", String(100), nullable=False),
    Column("auth", String(40), nullable=False),
    Column("server_key", String(100), nullable=False),
    Column("agent", String(200), nullable=False),
    Column("created", BigInteger, nullable=False),
)
"""The browsers that get push messages; each ends with its session. ``server_key`` is our public key that it knows."""

web_hooks = Table(
    "web_hooks",
    metadata,
    Column("account", String(16), primary_key=True),
    Column("id", String(16), nullable=False),
    Column("url", Text, nullable=False),
    Column("secret_key", String(16), nullable=False),
    Column("created", BigInteger, nullable=False),
)
"""Where accounts want notices to be posted. The secret that signs them follows from ``id`` and a key of the server."""
