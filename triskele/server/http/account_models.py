"""Models of the requests and answers about accounts, people and their moderators."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field, StrictBool, StrictInt, StrictStr, model_validator

from triskele.server.accounts.aversions import Kind
from triskele.server.accounts.learned import GAMES_LIMIT, ITEMS_LIMIT
from triskele.server.accounts.names import NAME_LIMIT
from triskele.server.accounts.passkeys import Purpose
from triskele.server.accounts.passwords import LONGEST
from triskele.server.accounts.tokens import SCOPES, Scope
from triskele.server.http.admin_models import HOURS_LIMIT, HostLine, HostSeat, Reason, Sanction
from triskele.server.http.models import Strict
from triskele.server.mail import ADDRESS_LIMIT
from triskele.server.moderation.reports import Why
from triskele.server.moderation.sanctions import Kind as SanctionKind
from triskele.server.settings import Policy

AccountName = Annotated[StrictStr, Field(min_length=1, max_length=4 * NAME_LIMIT)]
Password = Annotated[StrictStr, Field(min_length=1, max_length=4 * LONGEST)]
State = Annotated[StrictStr, Field(max_length=2000)]
Secret = Annotated[StrictStr, Field(min_length=1, max_length=200)]
Label = Annotated[StrictStr, Field(max_length=40)]
Credential = Annotated[dict[str, Any], Field(max_length=16)]
Day = Annotated[StrictInt, Field(ge=1, le=3660)]


class PasskeyGiven(Strict):
    """What an authenticator has made or signed, with the state that came with the options."""

    credential: Credential
    state: State


class PasskeyAsked(Strict):
    """What a passkey is asked for; a name to sign up with."""

    purpose: Purpose
    name: AccountName | None = None


class PasskeyOptions(BaseModel):
    """Options for ``navigator.credentials``, as JSON, and the state to send back with the answer."""

    options: dict[str, Any]
    state: str


class SignUp(Strict):
    """An account to be made, with a password or a passkey."""

    name: AccountName
    password: Password | None = None
    passkey: PasskeyGiven | None = None
    invitation: Annotated[StrictStr, Field(max_length=100)] = ""

    @model_validator(mode="after")
    def _one_of_both(self) -> "SignUp":
        if (self.password is None) == (self.passkey is None):
            raise ValueError("a password or a passkey")
        return self


class SignInAsked(Strict):
    """Who signs in: a name and a password, or a passkey. ``bring``: this browser's games as a guest come along."""

    name: AccountName | None = None
    password: Password | None = None
    passkey: PasskeyGiven | None = None
    bring: StrictBool = False

    @model_validator(mode="after")
    def _one_of_both(self) -> "SignInAsked":
        if (self.passkey is None) == (self.name is None or self.password is None):
            raise ValueError("a name and a password, or a passkey")
        return self


class Proof(Strict):
    """Who somebody is, said again: the password, or a passkey."""

    password: Password | None = None
    passkey: PasskeyGiven | None = None


class SignedInShown(BaseModel):
    """Who is signed in now, and at how many tables games came along."""

    name: str
    brought: int


class SignOut(Strict):
    """Where to sign out: here, or everywhere (``others``: everywhere but here)."""

    where: Literal["here", "everywhere", "others"] = "here"


class SignedOut(BaseModel):
    """How many sessions have ended."""

    ended: int


class Done(BaseModel):
    """It is done."""

    done: Literal[True] = True


class PasskeyShown(BaseModel):
    """A passkey of mine."""

    id: str
    name: str
    created: int
    used: int | None


class SiteShown(BaseModel):
    """What the host of the server has chosen."""

    accounts: Policy
    guests: bool
    chat: bool
    mail: bool


class AccountShown(BaseModel):
    """My account."""

    name: str
    bot: bool
    created: int
    moderator: bool
    has_password: bool
    mail: str | None
    mail_confirmed: bool
    passkeys: list[PasskeyShown]
    bots: list[str]
    proved: bool
    """Whether I have just said who I am, so that I may change what only I may."""


class WhoAmI(BaseModel):
    """My account, if I have one here, and what the host has chosen."""

    account: AccountShown | None
    site: SiteShown
    guest_games: int
    """At how many tables I sit as a guest: they can come along."""


class SessionShown(BaseModel):
    """Where I am signed in; ``current``: here."""

    id: str
    current: bool
    created: int
    seen: int
    address: str
    agent: str


class PasswordChange(Strict):
    """A new password, and the one that holds now, if there is one."""

    current: Password | None = None
    password: Password


class MailAsked(Strict):
    """A mail address."""

    mail: Annotated[StrictStr, Field(min_length=1, max_length=ADDRESS_LIMIT)]


class LinkUsed(Strict):
    """The secret part of a link from a mail."""

    link: Secret


class ResetAsked(Strict):
    """The secret part of a link from a mail, and a new password."""

    link: Secret
    password: Password


class PasskeyRemoved(Strict):
    """The passkey that is to be removed."""

    id: Annotated[StrictStr, Field(max_length=1400)]


class TokenAsked(Strict):
    """A token to be made: for me, or for a bot of mine; without days it never expires."""

    name: Label
    scopes: Annotated[list[Scope], Field(min_length=1, max_length=len(SCOPES))]
    bot: AccountName | None = None
    days: Day | None = None


class TokenMade(BaseModel):
    """The value of a new token, for ``Authorization: Bearer …``: it is shown this once."""

    token: str


class TokenShown(BaseModel):
    """A token of mine or of a bot of mine."""

    id: str
    account: str
    name: str
    scopes: list[str]
    created: int
    expires: int | None
    used: int | None


class BotAsked(Strict):
    """A bot to be made, or deleted."""

    name: AccountName


class BotMade(BaseModel):
    """The bot's account."""

    name: str


Items = Annotated[list[Annotated[StrictStr, Field(max_length=80)]], Field(max_length=ITEMS_LIMIT)]
GameName = Annotated[str, Field(max_length=64)]


class PuzzlesLearned(Strict):
    """Puzzles of a game that were solved, and how hard the next may be."""

    solved: Items
    difficulty: Annotated[float, Field(ge=1, le=10)]


class Learned(Strict):
    """What was learned, by game: steps of courses and puzzles that were solved."""

    lessons: Annotated[dict[GameName, Items], Field(max_length=GAMES_LIMIT, default_factory=dict)]
    puzzles: Annotated[dict[GameName, PuzzlesLearned], Field(max_length=GAMES_LIMIT, default_factory=dict)]


class Results(BaseModel):
    """Games won, drawn and lost."""

    win: int
    draw: int
    loss: int


class GameResults(Results):
    """Results in one game."""

    game: str
    title: str


class OpponentResults(Results):
    """Results against somebody."""

    name: str


class OtherPlayer(BaseModel):
    """Another player of a game: the name of an account, the level of a computer, or neither."""

    name: str | None
    bot: bool
    level: int | None


class PlayedGame(BaseModel):
    """A game that somebody has played."""

    table: str
    game: str
    title: str
    opened: int
    rated: bool
    result: Literal["win", "draw", "loss"]
    others: list[OtherPlayer]


class LearnedCounts(BaseModel):
    """How many steps and puzzles were solved, by game."""

    lessons: dict[str, int]
    puzzles: dict[str, int]


class ProfileShown(BaseModel):
    """What everybody may see of an account; ``owner``: whose bot it is."""

    name: str
    bot: bool
    owner: str | None
    created: int
    results: list[GameResults]
    opponents: list[OpponentResults]
    games: list[PlayedGame]
    learned: LearnedCounts
    mine: bool
    ratings: bool
    """Whether there are ratings to ask for, at ``/people/{name}/ratings``."""
    muted: bool
    blocked: bool


class AversionAsked(Strict):
    """Whether somebody is to be muted or blocked: ``on``, or no longer."""

    kind: Kind
    on: StrictBool


class AversionShown(BaseModel):
    """Somebody whom I mute or block."""

    name: str
    kinds: list[Kind]


class SeatAversion(AversionAsked):
    """Somebody at a table, by the seat: also a guest."""

    table: Annotated[StrictStr, Field(max_length=64)]
    seat: Annotated[StrictInt, Field(ge=0, le=11)]


class SeatPerson(BaseModel):
    """Whether I mute or block who sits at a table."""

    muted: bool
    blocked: bool


class ReportAsked(Strict):
    """A report about an account by its name, or about who sits at a table."""

    name: AccountName | None = None
    table: Annotated[StrictStr, Field(max_length=64)] | None = None
    seat: Annotated[StrictInt, Field(ge=0, le=11)] | None = None
    why: Why
    text: Annotated[StrictStr, Field(max_length=1000)] = ""


class Person(BaseModel):
    """A visitor, and the name of the account if there is one."""

    visitor: str
    name: str | None


class ReportShown(BaseModel):
    """A report."""

    number: int
    time: int
    reporter: Person
    about: Person
    table: str | None
    why: str
    text: str
    closed: int | None
    closed_by: str | None
    answer: str | None


class ReportClosed(Strict):
    """What was done about a report."""

    answer: Reason = ""


class ModeratedTable(BaseModel):
    """A table as a moderator sees it: who sits there and what was said, nothing of the position."""

    table: str
    game: str
    opened: int
    over: bool
    annulled: bool
    moves: int
    seats: list[HostSeat]
    chat: list[HostLine]


class ModeratedSanction(Sanction):
    """A sanction with the name of the account that it is against, if it is one."""

    name: str | None


class ModeratorSanction(Strict):
    """A silence or a ban of a visitor, for some hours or for good."""

    kind: SanctionKind
    visitor: Annotated[StrictStr, Field(min_length=22, max_length=22)]
    hours: Annotated[float, Field(gt=0, le=HOURS_LIMIT)] | None = None
    reason: Reason = ""


class InvitationAsked(Strict):
    """An invitation code to be made."""

    uses: Annotated[StrictInt, Field(ge=1, le=10_000)] = 1
    hours: Annotated[float, Field(gt=0, le=HOURS_LIMIT)] | None = None
    note: Annotated[StrictStr, Field(max_length=100)] = ""


class InvitationMade(BaseModel):
    """The code: it is shown this once."""

    code: str


class InvitationListed(BaseModel):
    """A code that can still be used, without the code."""

    id: str
    note: str
    uses: int
    created: int
    expires: int | None


class AccountAsked(Strict):
    """An account, by its name, and why something is done with it."""

    name: AccountName
    reason: Reason = ""


class ModeratorAsked(AccountAsked):
    """Whether an account is a moderator's."""

    moderator: StrictBool


class AccountListed(BaseModel):
    """An account as the host sees it."""

    name: str
    visitor: str
    bot: bool
    moderator: bool
    created: int
    seen: int | None
    """When it was last used, signed in at a browser."""
