/** What the server sends and takes, as `docs/live.md` describes it: the games, scenes, tables, and the live messages. */

// --- the games -----------------------------------------------------------------------------------

export type OptionValue = boolean | number | string;
export type Options = Record<string, OptionValue>;

export interface OptionChoice {
  value: OptionValue;
  label: string;
}

export interface Option {
  name: string;
  kind: "flag" | "number" | "choice" | "pattern";
  default: OptionValue;
  label: string;
  allowed: string;
  low?: number;
  high?: number;
  values?: OptionChoice[] | null;
}

/** A way to play that is worth a name: options that differ from the defaults. */
export interface Preset {
  options: Options;
  text: string;
  series: string;
}

/** What to ask once the tokens `after` are entered (`null` is any place), if a place can follow or if none can. */
export interface Prompt {
  after: (string | null)[];
  place: boolean;
  text: string;
}

/** How moves of one kind read in words: what their text looks like, the key of the words, and what signs stand for. */
export interface Wording {
  pattern: string;
  key: string;
  signs: Record<string, string>;
}

export interface Game {
  name: string;
  title: string;
  tagline: string;
  minutes: [number, number];
  seats: number[];
  options: Option[];
  presets: Preset[];
  hidden: boolean;
  chance: boolean;
  notes: boolean;
  buttons: boolean;
  forced: boolean;
  tells: boolean;
  asks: boolean;
  previews: boolean;
  seat_sprites: string[];
  prompts: Prompt[];
  /** The extensions of formats in which its records are read and written beside JSON. */
  formats: string[];
  wordings: Wording[];
  /** The names of the files of its engine for the page; none when there is no such. */
  engine: { module: string; description: string; appraises: boolean } | null;
}

// --- scenes --------------------------------------------------------------------------------------

export interface Point {
  x: number;
  y: number;
}

/** Something drawn; `triskele/core/scene.py` says what each field means. */
export interface Piece extends Point {
  id: string;
  sprite: string;
  turn: number;
  layer: number;
  label: string;
  role?: "die" | "hand" | "trace" | "coordinate";
  on_turn?: "turn" | "stay";
}

/** Something to point at. */
export interface Place extends Point {
  token: string;
  name: string;
  radius: number;
  points: [number, number][];
  role?: "rotation" | "take-back" | "hand";
  action?: string;
  move?: string;
  drops?: string[];
  on_turn?: "turn" | "stay";
}

export interface Fact {
  words: string;
  seat: number | null;
  news?: boolean;
  /** The same with `{2}` for the name of player 2. */
  named?: string;
}

export interface Scene {
  game: string;
  width: number;
  height: number;
  pieces: Piece[];
  places: Place[];
  facts: Fact[];
  title: string;
  told: string;
  turning?: Turning | null;
}

/** How the board can be turned: the box that turns, the angles, and for each seat the one that brings its side down. */
export interface Turning extends Point {
  width: number;
  height: number;
  turns: number[];
  seats: number[];
}

/** What changed since the scene of the message with the `seq` that `base` names. */
export interface SceneChange {
  base: number;
  pieces?: Piece[];
  gone?: string[];
  places?: Place[];
  places_gone?: string[];
  facts?: Fact[];
  title?: string;
  told?: string;
}

// --- tables --------------------------------------------------------------------------------------

/** A move with its spellings: each is one way to enter it, token by token. */
export type ListedMove = [text: string, spellings: string[][]];

/** The position as one seat, or a spectator (`null`), sees it. */
export interface Look {
  seat: number | null;
  scene: Scene;
  ask: string;
  moves: ListedMove[];
  interrupts: ListedMove[];
}

/** A step of a course; the first game, at its end, has `level`, `options` and `watch` instead of `marks`, `solution`. */
export interface LessonStep {
  id: string;
  seat: number;
  name: string;
  say: string;
  marks?: string[] | null;
  solution?: string[] | null;
  level?: number | null;
  options?: Options | null;
  watch?: string[] | null;
}

/** A puzzle without its solution; `task` says what is to be done. */
export interface Puzzle {
  id: string;
  kind: string;
  task: string;
  seat: number;
  turns: number;
  difficulty: number;
}

/** A position to show, and the move that led to it. */
export interface LessonFrame {
  made: { move: string; seat: Mover } | null;
  turn: Mover | null;
  look: Look;
}

/** What has become of a try. */
export interface LessonJudged {
  status: "going" | "solved" | "wrong" | "refused";
  text: string | null;
  frames: LessonFrame[];
}

export type ChangedLook = Omit<Look, "scene"> & { scene: Scene | SceneChange };

export type SeatKind = "me" | "here" | "link" | "engine";

export interface Seat {
  seat: number;
  kind: SeatKind;
  name: string;
  level: number | null;
  present: boolean;
  mine: boolean;
  taken: boolean;
  /** The player gave up while the game goes on; `stand_in` is the level of the engine that plays on for the seat. */
  resigned: boolean;
  /** The player ran out of time or left, and may come back. */
  away: boolean;
  /** For how many milliseconds the player has not been connected to a live game with a clock; else null. */
  absent: number | null;
  stand_in: number | null;
  /** How many hints it was given in a game between people. */
  hints: number;
  /** Whether a player's page computes its moves. */
  page?: boolean;
  key?: string;
  /** The name of the account whose seat it is; whether that is a bot's; whether it was one that is deleted. */
  account?: string;
  bot?: boolean;
  deleted?: boolean;
}

export type Mover = number | "chance";

export interface Made {
  move: string;
  seat: Mover;
  ms: number;
}

export interface Offer {
  seat: number;
  what: OfferKind;
  accepted: number[];
}

export type OfferKind = "draw" | "undo" | "rematch";

export interface ChatLine {
  seat: number;
  name: string;
  text: string;
  time: number;
  account?: string;
  bot?: boolean;
  deleted?: boolean;
}

/** An end outside the rules. */
export interface Ended {
  kind: "resign" | "time" | "left" | "agreed" | "stopped" | "called-off";
  seat?: number;
}

export interface Outcome {
  winners: number[];
  scores: number[];
  reason: string;
}

/** The clocks; all times in milliseconds. */
export interface ClockShown {
  control: string;
  pace: "live" | "days";
  period: number;
  /** After how much absence a live game can be claimed. */
  claim: number;
  /** For each seat the main time, the periods that are left, and what of one is used. */
  seats: [main: number, periods: number, used: number][];
  running: number | null;
  /** What the running clock has used so far; below 0 while it is not charged yet. */
  spent: number;
  resting: boolean;
  calls_off: boolean;
}

/** What a roll can bring, and how much it weighs. */
export type WeightedOutcome = [text: string, weight: number];

/** `seeds` are null until the first roll; `outcomes` are the faces of one fair die; `secret` is told at the end. */
export interface Dice {
  id: string;
  faces: number;
  commitment: string;
  seed_hashes: (string | null)[];
  seeds: (string | null)[];
  outcomes?: WeightedOutcome[];
  secret?: string;
}

/** A table in a list. */
export interface ListedTable {
  table: string;
  game: string;
  seats: Seat[];
  turn: number | null;
  moves: number;
  over: boolean;
  winners: number[] | null;
  opened: number;
  changed: number | null;
  clock: string | null;
  due: number | null;
}

export interface ListedTables {
  mine: ListedTable[];
  waiting: ListedTable[];
}

/** A table to open. */
export interface Plan {
  game: string;
  options: Options;
  seats: PlannedSeat[];
  first: "order" | "lots" | number;
  private: boolean;
  series?: string;
  hints?: boolean;
  clock?: string;
}

export interface PlannedSeat {
  kind: SeatKind;
  name?: string;
  level?: number;
}

/** What the key of a link opens. */
export interface Invitation {
  opens: "seat" | "taken" | "own" | "watch";
  seat: number | null;
  game: string;
  title: string;
  host: string;
  /** Whether `host` is the name of an account. */
  account: boolean;
}

export interface Hint {
  move: string;
  why: string;
}

/** Why a line is good, in words if the game has some; `wins`: before another seat decides. */
export interface Explanation {
  why: string | null;
  wins: boolean;
}

export interface Analysis {
  scores: number[];
  lines: string[][];
  depth: number;
  nodes: number;
  proven: number | null;
}

/**
 * A position for an engine in the page: the words of its state in base64, the moves of the seat to act, and in a game with
 * secrets the codes of the moves made, -1 for those not seen.
 */
export interface KnownState {
  at: number;
  turn: Mover | null;
  seat: number | null;
  state: string;
  moves: ListedMove[];
  history: number[];
  seed: number;
  seconds: number;
}

// --- analyses ------------------------------------------------------------------------------------

/** What is said about the position after `at` moves of a line. */
export interface Annotation {
  at: number;
  comment?: string;
  marks?: string[][];
  variations?: Line[];
}

export interface Line {
  moves: string[];
  annotations?: Annotation[];
}

/** A game with variations, as it is kept, shared and exported; see `triskele/core/variations.py`. */
export interface AnalysisDocument {
  game: string;
  options: Options;
  start: string | null;
  seats: string[];
  moves: string[];
  annotations?: Annotation[];
}

/** A position of an analysis: nothing is hidden, and all sides can be played. */
export interface AnalysedPosition {
  turn: Mover | null;
  position: string;
  made: { move: string; seat: Mover } | null;
  look: Look;
  /** What a roll or draw can bring, with weights. */
  chance: [move: string, weight: number][];
  outcome: Outcome | null;
  ending: string;
  state: string;
  history: number[];
}

/** How positions are set up by hand; `reason`: why they cannot be; `ground`: the board with nothing on it. */
export interface BoardSetup {
  reason: string;
  things: { sign: string; name: string; sprite: string; most: number }[];
  fields: { name: string; label: string; values: { value: string; label: string }[] }[];
  empty: string;
  draft: { board: Record<string, string>; fields: Record<string, string> } | null;
  ground: Scene | null;
}

/** A move that was played: in how many games, and which part of them the one who made it won. */
export interface OpeningMove {
  move: string;
  games: number;
  won: number;
}

export interface Openings {
  engines: OpeningMove[];
  own: OpeningMove[];
  note: string;
}

// --- live messages from the server ---------------------------------------------------------------

export interface TableMessage {
  type: "table";
  table: string;
  seq: number;
  game: string;
  title: string;
  options: Options;
  private: boolean;
  rated: boolean;
  hints: boolean;
  seats: Seat[];
  moves: Made[];
  turn: Mover | null;
  outcome: Outcome | null;
  ended: Ended | null;
  text: string;
  offers: Offer[];
  chat: ChatLine[];
  dice: Dice | null;
  clock: ClockShown | null;
  watch?: string | null;
  next_table?: string | null;
  mine: Look[];
}

export interface MovedMessage extends Made {
  type: "moved";
  table: string;
  seq: number;
  at: number;
  turn: Mover | null;
  mine: ChangedLook[];
  clock?: ClockShown;
}

export interface AnsweredMessage {
  type: "answered";
  table: string;
  seq: number;
  seat: number;
  what: OfferKind;
  accept: boolean;
  offers: Offer[];
  next_table?: string;
}

export interface SaidMessage extends ChatLine {
  type: "said";
  table: string;
  seq: number;
}

/** What happens at a table. */
export type TableEvent =
  | TableMessage
  | MovedMessage
  | AnsweredMessage
  | SaidMessage
  | { type: "seats"; table: string; seq: number; seats: Seat[] }
  | { type: "dice"; table: string; seq: number; dice: Dice }
  | { type: "offered"; table: string; seq: number; offers: Offer[] }
  | {
      type: "ended";
      table: string;
      seq: number;
      outcome: Outcome;
      ended: Ended | null;
      text: string;
      clock?: ClockShown;
    }
  | { type: "thinking"; table: string; seat: number; seq?: undefined }
  | { type: "gone"; table: string; code: string; text: string; seq?: undefined };

/** The answer to a request; `complete` is answered with what a half-entered move can become. */
export interface Done {
  type: "done";
  id: string;
  /** The id of a seek that was made. */
  seek?: string;
  move?: string;
  next?: string[];
  reason?: string;
  why?: string;
  note?: string;
  ask?: string;
  notes?: { [token: string]: string };
  scene?: Scene;
}

export interface Refusal {
  type: "refused";
  id: string | null;
  code: string;
  text: string;
}

// --- the lobby -----------------------------------------------------------------------------------

export interface LobbyPerson {
  name: string;
  bot: boolean;
}

export interface LobbyPlayer extends LobbyPerson {
  account: boolean;
  rating: number | null;
  deviation: number | null;
}

/** A game that waits for players. */
export interface LobbySeek {
  seek: string;
  game: string;
  options: Options;
  seats: number;
  clock: string;
  rated: boolean;
  low: number | null;
  high: number | null;
  engines: number | null;
  players: LobbyPlayer[];
  agreed: number;
}

/** A game to watch. */
export interface LobbyGame {
  table: string;
  game: string;
  options: Options;
  clock: string;
  rated: boolean;
  players: LobbyPlayer[];
}

interface LobbyLists {
  here: number;
  guests: number;
  people: LobbyPerson[];
  seeks: LobbySeek[];
  games: LobbyGame[];
}

export interface LobbyShown extends LobbyLists {
  type: "lobby";
}

export interface LobbyChanged extends LobbyLists {
  type: "lobby-changed";
  people_gone: string[];
  seeks_gone: string[];
  games_gone: string[];
}

export type LobbyEvent =
  | LobbyShown
  | LobbyChanged
  | { type: "sought"; seek: LobbySeek; state: "challenged" | "waits" | "gone" }
  | { type: "begun"; seek: string; table: string };

/** What a seek asks for. */
export interface SeekWanted {
  game: string;
  seats: number;
  clock: string;
  rated: boolean;
  options?: Options;
  low?: number;
  high?: number;
  engines?: number;
}

export type LobbyRequest =
  | { type: "lobby"; name: string }
  | ({ type: "seek"; quick?: boolean; to?: string } & SeekWanted)
  | { type: "accept" | "agree" | "withdraw"; seek: string };

// --- ratings -------------------------------------------------------------------------------------

export interface Rating {
  rating: number;
  deviation: number;
  low: number;
  high: number;
  games: number;
  /** Whether it is certain enough for a leaderboard. */
  listed: boolean;
}

export interface Leaderboard {
  players: (Rating & { place: number; name: string; bot: boolean })[];
  landmarks: { level: number; rating: number }[];
}

export interface RatingHistory extends Rating {
  game: string;
  pace: "live" | "days";
  field: "two" | "several";
  /** Time, rating and deviation after each game. */
  history: [number, number, number][];
}

export interface PersonRatings {
  name: string;
  bot: boolean;
  ratings: RatingHistory[];
}

/** What a rated game did to the ratings of its players. */
export interface RatingChanges {
  state: "unrated" | "pending" | "rated" | "void";
  players: { seat: number; before: number; after: number; deviation: number }[];
}

/** Who is signed in. */
export interface Account {
  name: string;
  bot: boolean;
}

/** Who uses a live connection: `join` is sent whenever it is established; `refused`: the join was, or every connection. */
export interface LiveOwner {
  join(): ClientRequest;
  receive(event: TableEvent | LobbyEvent): void;
  status(status: "open" | "lost"): void;
  refused(why: Error & { code: string }): void;
}

export interface NoticeShown {
  id: string;
  kind: "turn" | "time" | "offer" | "begun" | "ended";
  detail: string;
  table: string;
  seat: number;
  at: number;
  game: string;
  title: string;
  text: string;
}

/** What I have not seen yet, the newest first. */
export interface NoticesShown {
  type: "notices";
  count: number;
  notices: NoticeShown[];
}

export type ServerMessage = TableEvent | LobbyEvent | NoticesShown | Done | Refusal;

// --- live messages from the page -----------------------------------------------------------------

/** A request about a table. */
export type TableRequest =
  | { type: "join"; since: number; scene: boolean; language: string }
  | { type: "move"; seat: number; move: string; at: number }
  | { type: "complete"; seat: number; tokens: string[]; scene: boolean }
  | { type: "compute"; on: boolean }
  | { type: "looking"; on: boolean }
  | { type: "undo"; seat: number }
  | { type: "offer"; seat: number; what: OfferKind }
  | { type: "answer"; seat: number; what: OfferKind; accept: boolean }
  | { type: "resign"; seat: number }
  | { type: "claim"; seat: number; engine: boolean }
  | { type: "back"; seat: number }
  | { type: "chat"; seat: number; text: string }
  | { type: "seed"; seat: number; seed: string };

export type ClientRequest =
  (TableRequest & { table: string }) | LobbyRequest | { type: "notices"; language: string } | { type: "ping" };
