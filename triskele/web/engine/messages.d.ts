/** What the page and the Worker of an engine say to each other. */

/** A principal variation: the texts of its moves, a score for each seat from -1 to 1, the moves to a proven end. */
export interface Line {
  texts: string[];
  scores: number[];
  proven: number | null;
}

/** What a search has found so far: the best line is the first. */
export interface Found {
  depth: number;
  nodes: number;
  lines: Line[];
  /** Whether scores are averages of samples, which differ with the seed. */
  sampled?: boolean;
}

/** A question to an engine; `state`: the words of a position in base64, and `history`, as the server sends them. */
export interface Question {
  state: string;
  history: number[];
  seat: number;
  lines: number;
  level?: number;
  seed?: number;
  nodes?: number;
  /** The code of a move that is to be compared with the best one; -1 for what the position is worth. */
  appraised?: number;
  /** Milliseconds after which the answer is due; without it the search goes on until it is stopped. */
  within?: number;
}

/** Where the parts of an engine are. */
export interface EngineAddresses {
  module: string;
  description: string;
}

export type ToWorker =
  | { type: "load"; engine: EngineAddresses; memoryMb: number }
  | { type: "search"; id: number; question: Question }
  | { type: "stop" };

/** `over`: there is nothing more to find, or the time is up. */
export type FromWorker =
  | { type: "ready" }
  | { type: "found"; id: number; found: Found; over: boolean }
  | { type: "stopped"; id: number }
  | { type: "failed"; id: number | null; reason: string };
