"""The live protocol: every message that a client or the server may send, as one tagged union each.

The JSON member ``type`` is the tag. The tables of messages in ``docs/live.md`` are made from these classes by
``python docs/live_tables.py``: a class's docstring is the meaning of its message, a description the meaning of a
field. Members that a message does not know are ignored; fields with a default may be left out or null.
"""

from typing import Annotated, Any

import msgspec
from msgspec import UNSET, Meta, Raw, Struct, UnsetType

from triskele.core.scene import Scene
from triskele.core.words import Language
from triskele.server.lobby.documents import GameShown, LobbyDifference, PersonShown, SeekShown
from triskele.server.tables.table import OfferKind, Series
from triskele.server.tables.validation import CHAT_LIMIT, NAME_LIMIT

_COUNT_LIMIT = 10**9
"""No table has as many moves or entries; a larger number is not decoded."""

MessageId = Annotated[str, Meta(min_length=1, max_length=64)]
TableId = Annotated[str, Meta(min_length=1, max_length=16)]
SeatNumber = Annotated[int, Meta(ge=0, le=63)]
Count = Annotated[int, Meta(ge=0, le=_COUNT_LIMIT)]
Tokens = Annotated[list[Annotated[str, Meta(max_length=60)]], Meta(max_length=64)]
Actor = int | str | None
"""A seat, ``"chance"`` or nobody, as :func:`triskele.core.record_parts.actor_document` writes it."""


# --- from the client --------------------------------------------------------------------------------


class Request(Struct, tag_field="type", tag=str.lower, frozen=True):
    """A message that asks for something; it is answered by one ``done`` or ``refused`` with the same ``id``."""

    id: MessageId


class TableRequest(Request, frozen=True):
    """A request about a table."""

    table: TableId


class SeatRequest(TableRequest, frozen=True):
    """A request of a seat that the visitor must hold."""

    seat: SeatNumber


class Join(TableRequest, frozen=True):
    """Begin to follow a table; answered by `table` and `done`, then by all that happens."""

    since: Annotated[Count | None, Meta(description="last `seq` known, or 0")] = None
    scene: Annotated[bool | None, Meta(description="false: views only, for bots")] = None
    language: Language | None = None


class Leave(TableRequest, frozen=True):
    """Stop following a table."""


class Compute(TableRequest, frozen=True):
    """Say whether my page computes the moves of the engines here; it then sends them as moves of their seats.

    Only after `join`, and where I opened the table and play alone, unrated, in a game without secrets and dice. The
    server's engine moves when none has come in time, or when the page is gone.
    """

    on: bool


class Move(SeatRequest, frozen=True):
    """Make a move; refused unless `at` is current, except for an interrupt, whose `at` may be older."""

    move: Annotated[str, Meta(min_length=1, max_length=200)]
    at: Annotated[Count, Meta(description="number of moves made before it")]


class Complete(SeatRequest, frozen=True):
    """Ask what can follow some tokens: `done` carries `move`, `next` or `reason`, and `note` for a whole move.

    With `scene: true`, in a game without secrets, it also carries the `scene` after that move.
    """

    tokens: Tokens
    scene: bool | None = None


class Undo(SeatRequest, frozen=True):
    """Take back my last turn, or the last decision of the one that I am making.

    At once where only engines and I play, else as an offer. What a move has brought to light stays.
    Refused in a game with secrets where an engine plays.
    """


class Offer(SeatRequest, frozen=True):
    """Offer something to the other seats.

    Engines decline a draw and agree to everything else; a seat of the same visitor agrees by itself; the next move
    ends offers of a draw or an undo.
    """

    what: Annotated[OfferKind, Meta(description="`draw`, `undo`, `rematch`")]
    series: Annotated[Series | None, Meta(description="with a rematch, if it is to differ")] = None


class Answer(SeatRequest, frozen=True):
    """Answer the offer of another seat; with `accept: false`, also withdraw my own."""

    what: OfferKind
    accept: bool


class Resign(SeatRequest, frozen=True):
    """Give up: with two seats the other wins, with more the game goes on.

    By the rules the seat is out then, or an engine plays on for it and it counts as last.
    """


class Claim(SeatRequest, frozen=True):
    """Claim a live game whose player to act has left it: with two seats I win, with more an engine plays on."""

    engine: Annotated[bool, Meta(description="true: an engine plays on in a game of two, too")] = False


class Back(SeatRequest, frozen=True):
    """Take over my seat again after my time ran out or I was away, from the engine that plays on."""


class Chat(SeatRequest, frozen=True):
    """Say something to the seated players."""

    text: Annotated[str, Meta(min_length=1, max_length=CHAT_LIMIT, description="1 to 500 characters")]


class Seed(SeatRequest, frozen=True):
    """Contribute to the dice, before the first roll."""

    seed: Annotated[str, Meta(min_length=1, max_length=64, description="1 to 64 characters")]


SeekId = Annotated[str, Meta(min_length=1, max_length=16)]
GuestName = Annotated[str, Meta(max_length=NAME_LIMIT)]
SeatCount = Annotated[int, Meta(ge=2, le=6)]
SeekOptions = Annotated[dict[str, bool | int | str], Meta(max_length=32)]
ClockText = Annotated[str, Meta(max_length=64)]
RatingBound = Annotated[int, Meta(ge=0, le=10_000)]


class EnterLobby(Request, frozen=True, tag="lobby"):
    """Follow the lobby: answered by `lobby`, then by `lobby-changed` at most twice a second.

    My seeks are withdrawn when I am gone for some seconds.
    """

    name: Annotated[GuestName | None, Meta(description="of a guest, for seeks")] = None


class LeaveLobby(Request, frozen=True, tag="leave-lobby"):
    """Follow the lobby no longer."""


class Seek(Request, frozen=True):
    """Look for players of a game; `done` carries the id of the `seek`. Only in the lobby.

    It becomes a table when all seats are taken, or when all who are there agree. With `quick` the server finds an
    opponent of about my rating, from wider apart the longer it takes; with `to` it is a challenge of one person.
    """

    game: Annotated[str, Meta(max_length=64)]
    seats: Annotated[SeatCount | None, Meta(description="2 if left out")] = None
    options: SeekOptions | None = None
    clock: Annotated[ClockText | None, Meta(description="a time control; none if left out")] = None
    rated: bool | None = None
    low: Annotated[RatingBound | None, Meta(description="lowest rating that may come")] = None
    high: Annotated[RatingBound | None, Meta(description="highest rating that may come")] = None
    engines: Annotated[
        Annotated[int, Meta(ge=1, le=10)] | None, Meta(description="level of computers that fill up the rest")
    ] = None
    to: Annotated[Annotated[str, Meta(max_length=100)] | None, Meta(description="name of a person")] = None
    quick: bool | None = None


class Accept(Request, frozen=True):
    """Take part in a seek; the last one who comes begins the game, and all get `begun`."""

    seek: SeekId


class Agree(Request, frozen=True):
    """Agree to begin a seek with those who are there; computers fill up the rest, or the game has fewer seats."""

    seek: SeekId


class Withdraw(Request, frozen=True):
    """Withdraw a seek of mine, leave that of another, or decline a challenge."""

    seek: SeekId


class FollowNotices(Request, frozen=True, tag="notices"):
    """Follow my notices: answered by `notices`, now and whenever they change."""

    language: Language | None = None


class Looking(TableRequest, frozen=True):
    """Say whether I look at a table that I follow: who does gets no notices about it. After `join` I do."""

    on: bool


class Ping(Request, frozen=True):
    """Ask for a `done`, and nothing else."""


ChangeRequest = Move | Undo | Offer | Answer | Seed | Resign | Claim | Back
"""The requests that append to the log of a table."""
LobbyRequest = EnterLobby | LeaveLobby | Seek | Accept | Agree | Withdraw
NoticeRequest = FollowNotices | Looking
ClientMessage = Join | Leave | Compute | Complete | Chat | Ping | ChangeRequest | LobbyRequest | NoticeRequest


class Malformed(Struct, frozen=True):
    """Anything else that a client sends; ``id`` is there if it is an object with a usable one."""

    id: MessageId | None = None


class _OnlyId(Struct):
    id: MessageId


_decoder: msgspec.json.Decoder[ClientMessage] = msgspec.json.Decoder(ClientMessage)
_id_decoder = msgspec.json.Decoder(_OnlyId)


def decode(written: str | None) -> ClientMessage | Malformed:
    """Return the message of a client; ``None`` is a binary message, which is malformed."""
    if written is None:
        return Malformed()
    try:
        return _decoder.decode(written)
    except (msgspec.DecodeError, RecursionError):
        return _malformed(written)


def _malformed(written: str) -> Malformed:
    try:
        return Malformed(_id_decoder.decode(written).id)
    except (msgspec.DecodeError, RecursionError):
        return Malformed()


# --- from the server: parts of messages ---------------------------------------------------------------


class SeatShown(Struct):
    """A seat; `page` says that a player's page computes its moves; `key` only if the receiver may know it.

    `resigned`: its player gave up while the game goes on; `away`: they ran out of time or left, and may come back;
    `stand_in` the level of the engine that plays on for it; `absent`: for how many milliseconds its player has not been
    connected to a live game with a clock, else null; `hints`: how many it was given in a game between people.
    `account`: the name of the account whose it is, if it is one; `bot`: that account is a bot's; `deleted`: it was one
    that is deleted.
    """

    seat: int
    kind: str
    name: str
    level: int | None
    present: bool
    mine: bool
    taken: bool
    page: bool
    resigned: bool
    away: bool
    absent: int | None
    stand_in: int | None
    hints: int
    key: str | UnsetType = UNSET
    account: str | UnsetType = UNSET
    bot: bool | UnsetType = UNSET
    deleted: bool | UnsetType = UNSET


class MoveShown(Struct):
    """A move as the receiver may see it, and how many milliseconds it took."""

    move: str
    seat: Actor
    ms: int


class OfferShown(Struct):
    """An open offer."""

    seat: int
    what: str
    accepted: list[int]


class ChatShown(Struct):
    """A line of chat, with what its writer was called then.

    `name` is empty if that is not known any more; `account`, `bot` and `deleted`: as those of a seat, of who wrote it.
    """

    seat: int
    name: str
    text: str
    time: int
    account: str | UnsetType = UNSET
    bot: bool | UnsetType = UNSET
    deleted: bool | UnsetType = UNSET


class ClockShown(Struct):
    """The clocks: `control` as text, and for each seat the main time, the periods left and what of one is used, in ms.

    `running` is the seat whose clock runs, `spent` the milliseconds that it has used so far, below 0 while it is not
    charged yet; `resting`: it stands still (a weekend, a vacation, an outage). `period` is the length of a period,
    `claim` after how many milliseconds of absence a live game can be claimed. `calls_off`: the game is called off if
    the first move does not come before `spent` is 0.
    """

    control: str
    pace: str
    period: int
    claim: int
    seats: list[tuple[int, int, int]]
    running: int | None
    spent: int
    resting: bool
    calls_off: bool


class Look(Struct):
    """How one seat (or a spectator, null) sees the position."""

    seat: int | None
    view: Raw
    scene: Raw | None
    ask: str
    moves: Raw
    interrupts: Raw


class TableDocument(Struct):
    """A table as a visitor may see it; the same document is the answer over HTTP."""

    table: str
    seq: int
    game: str
    title: str
    options: dict[str, Any]
    opened: int
    private: bool
    rated: bool
    series: str
    hints: bool
    seats: list[SeatShown]
    moves: list[MoveShown]
    turn: Actor
    outcome: dict[str, Any] | None
    ended: dict[str, Any] | None
    text: str | None
    offers: list[OfferShown]
    chat: list[ChatShown]
    dice: dict[str, Any] | None
    clock: ClockShown | None
    watch: str | None
    next_table: str | None
    mine: list[Look]


# --- from the server: messages ------------------------------------------------------------------------


class Table(TableDocument, tag_field="type", tag="table"):
    """Everything about a table: after `join`, and whenever a difference would not do; see below."""


class _Event(Struct, tag_field="type", tag=str.lower):
    """A message about something that happened at a table."""

    table: str


class _NumberedEvent(_Event):
    """An event with the ``seq`` of the table after it."""

    seq: int


class Moved(_NumberedEvent):
    """A move was made and is stored."""

    at: Annotated[int, Meta(description="number of moves before it")]
    seat: Annotated[Actor, Meta(description="who moved, or `chance`")]
    move: Annotated[str, Meta(description="as I may see it")]
    ms: int
    turn: Actor
    mine: Annotated[list[Look], Meta(description="a look for each of my seats")]
    clock: Annotated[ClockShown | UnsetType, Meta(description="at a table with a clock")] = UNSET


class Seats(_NumberedEvent):
    """A seat was taken or given a hint, or a name or the presence of a player changed."""

    seats: Annotated[list[SeatShown], Meta(description="all of them")]


class Dice(_NumberedEvent):
    """A seed was given, the seeds are closed, or the secret is told."""

    dice: dict[str, Any] | None


class Offered(_NumberedEvent):
    """A seat offers something."""

    seat: int | None
    what: str
    offers: Annotated[list[OfferShown], Meta(description="all that are open now")]


class Answered(_NumberedEvent):
    """A seat answers an offer; an accepted undo is followed by `table`, an accepted draw by `ended`."""

    seat: int | None
    what: str
    accept: bool
    offers: Annotated[list[OfferShown], Meta(description="all that are open now")]
    next_table: Annotated[str | UnsetType, Meta(description="after an accepted rematch")] = UNSET


class Ended(_NumberedEvent):
    """The game is over, by the rules or otherwise."""

    outcome: dict[str, Any] | None
    ended: dict[str, Any] | None
    text: str
    clock: Annotated[ClockShown | UnsetType, Meta(description="at a table with a clock")] = UNSET


class Said(_NumberedEvent):
    """A player said something; sent to the seated players."""

    seat: int
    name: str
    text: str
    time: int
    account: str | UnsetType = UNSET
    bot: bool | UnsetType = UNSET
    deleted: bool | UnsetType = UNSET


class Thinking(_Event):
    """An engine is at work, until it moves."""

    seat: int


class Gone(_Event):
    """The table can be followed no longer: it was deleted, or my seat was freed and it is private."""

    code: Annotated[str, Meta(description="`deleted`, `removed`")]
    text: str


class LobbyShown(Struct, tag_field="type", tag="lobby"):
    """The lobby: how many are here, guests among them, people with accounts, seeks and games to watch.

    The lists are bounded; `here` counts everybody.
    """

    here: int
    guests: int
    people: list[PersonShown]
    seeks: list[SeekShown]
    games: list[GameShown]


class LobbyChanged(LobbyDifference, tag_field="type", tag="lobby-changed"):
    """What has changed in the lobby since the last message: what is new or different, and the keys of what is gone."""


class Sought(Struct, tag_field="type", tag="sought"):
    """A seek that concerns me: a challenge to me (`challenged`) or by me (`waits`), or one that came to nothing."""

    seek: SeekShown
    state: Annotated[str, Meta(description="`challenged`, `waits`, `gone`")]


class Begun(Struct, tag_field="type", tag="begun"):
    """A seek that I take part in has become a table."""

    seek: str
    table: str


class NoticeShown(Struct):
    """A notice: `kind` is `turn`, `time`, `offer` (`detail`: of what), `begun` or `ended`; `title`: game and others."""

    id: str
    kind: str
    detail: str
    table: str
    seat: int
    at: int
    game: str
    title: str
    text: str


class NoticesShown(Struct, tag_field="type", tag="notices"):
    """How many notices I have not seen yet, and which, the newest first; 50 at most."""

    count: int
    notices: list[NoticeShown]


class Done(Struct, tag_field="type", tag="done"):
    """A request is done; `seek` answers `seek`, all but `id` and `seq` of the others are the answer to `complete`."""

    id: str
    seq: int | UnsetType = UNSET
    seek: str | UnsetType = UNSET
    move: str | UnsetType = UNSET
    next: tuple[str, ...] | UnsetType = UNSET
    reason: str | UnsetType = UNSET
    why: str | UnsetType = UNSET
    note: str | UnsetType = UNSET
    notes: dict[str, str] | UnsetType = UNSET
    ask: str | UnsetType = UNSET
    scene: Scene | UnsetType = UNSET


class Refused(Struct, tag_field="type", tag="refused"):
    """A request is refused, and nothing has changed; `text` says why in words."""

    id: str | None
    code: str
    text: str


TableMessage = Table | Moved | Seats | Dice | Offered | Answered | Ended | Said | Thinking | Gone
ServerMessage = TableMessage | LobbyShown | LobbyChanged | Sought | Begun | NoticesShown | Done | Refused

_encoder = msgspec.json.Encoder()


def encode(message: ServerMessage | TableDocument) -> bytes:
    """Return a message of the server as JSON."""
    return _encoder.encode(message)
