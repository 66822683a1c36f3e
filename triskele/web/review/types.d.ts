/** What a review consists of: the same whether the page or the server has made it (`triskele/reviewing`). */

export type Grade = "inaccuracy" | "mistake" | "blunder";

export interface Curve {
  slope: number;
  bias: number;
  power: number;
}

/** A decision; chances are those of its seat. */
export interface JudgedMove {
  number: number;
  seat: number;
  move: string;
  chance_before: number;
  chance_after: number;
  grade: Grade | null;
  better_line: string[] | null;
  forced: boolean;
}

export interface JudgedPlayer {
  seat: number;
  accuracy: number | null;
  grades: Record<Grade, number>;
  luck?: number;
  skill?: number;
  sum?: number;
}

export interface Roll {
  number: number;
  move: string;
  luck: number[];
}

export interface Review {
  turning_point: number | null;
  players: JudgedPlayer[];
  moves: JudgedMove[];
  rolls?: Roll[];
  /** Each seat's chance before the first move and after each. */
  chances: number[][];
}

/** How far a review has come. */
export interface Progress {
  done: number;
  of: number;
  review: Review;
}

/** All positions of an open game, as the server sends them for a review in the page. */
export interface Material {
  positions: { state: string; turn: number | "chance" | null; choices: number }[];
  moves: { text: string; seat: number }[];
  winners: number[] | null;
  end: number[] | null;
  nodes: number;
  curve: Curve;
}

/** What a position was worth: each seat's chance with the best move, and the best line. */
export interface Value {
  chances: number[];
  line: string[];
}
