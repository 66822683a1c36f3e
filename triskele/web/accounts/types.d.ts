/** What the server says about accounts, as its OpenAPI document describes it. */

export interface Site {
  accounts: "open" | "invitation" | "closed";
  guests: boolean;
  chat: boolean;
  mail: boolean;
}

export interface Passkey {
  id: string;
  name: string;
  created: number;
  used: number | null;
}

export interface Account {
  name: string;
  bot: boolean;
  created: number;
  moderator: boolean;
  has_password: boolean;
  mail: string | null;
  mail_confirmed: boolean;
  passkeys: Passkey[];
  bots: string[];
  proved: boolean;
}

export interface WhoAmI {
  account: Account | null;
  site: Site;
  guest_games: number;
}

export interface SignedIn {
  name: string;
  brought: number;
}

export interface Session {
  id: string;
  current: boolean;
  created: number;
  seen: number;
  address: string;
  agent: string;
}

export interface Token {
  id: string;
  account: string;
  name: string;
  scopes: string[];
  created: number;
  expires: number | null;
  used: number | null;
}

export interface Aversion {
  name: string;
  kinds: ("mute" | "block")[];
}

export interface Results {
  win: number;
  draw: number;
  loss: number;
}

export interface PlayedGame {
  table: string;
  game: string;
  title: string;
  opened: number;
  rated: boolean;
  result: "win" | "draw" | "loss";
  others: { name: string | null; bot: boolean; level: number | null }[];
}

export interface Profile {
  name: string;
  bot: boolean;
  owner: string | null;
  created: number;
  results: (Results & { game: string; title: string })[];
  opponents: (Results & { name: string })[];
  games: PlayedGame[];
  learned: { lessons: Record<string, number>; puzzles: Record<string, number> };
  mine: boolean;
  /** Whether the server has ratings to ask for. */
  ratings: boolean;
  muted: boolean;
  blocked: boolean;
}

/** A rating with its history: points of time, rating and deviation. */
export interface Rating {
  game: string;
  pace: "live" | "days";
  field: "two" | "several";
  rating: number;
  deviation: number;
  high: number;
  games: number;
  history: [number, number, number][];
}

export interface Person {
  visitor: string;
  name: string | null;
}

export interface Report {
  number: number;
  time: number;
  reporter: Person;
  about: Person;
  table: string | null;
  why: string;
  text: string;
  closed: number | null;
  closed_by: string | null;
  answer: string | null;
}

export interface ModeratedTable {
  table: string;
  game: string;
  opened: number;
  over: boolean;
  annulled: boolean;
  moves: number;
  seats: { seat: number; kind: string; name: string; visitors: string[] }[];
  chat: {
    seat: number;
    visitor: string | null;
    name: string;
    account?: string;
    bot?: boolean;
    deleted?: boolean;
    text: string;
    time: number;
  }[];
}

export interface Sanction {
  kind: "silence" | "ban";
  target: string;
  name: string | null;
  since: number;
  until: number | null;
  reason: string;
}

export interface AuditEntry {
  number: number;
  time: number;
  actor: string;
  action: string;
  target: string;
  detail: Record<string, unknown>;
}
