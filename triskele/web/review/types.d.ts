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
  /** Whether luck and skill are in scores of the game, from its exact values. */
  exact?: boolean;
  /** Each seat's chance before the first move and after each. */
  chances: number[][];
}

/** How far a review has come. */
export interface Progress {
  done: number;
  of: number;
  review: Review;
}

/** What is asked in a position; `appraised`: the code of the move made, -1 for the position alone, null for a search. */
export interface Asked {
  state: string;
  history: number[];
  seat: number;
  appraised: number | null;
}

/** All positions of a game for a review in the page (`triskele/reviewing/material.py`), null where nothing is asked. */
export interface Material {
  positions: (Asked | null)[];
  moves: { text: string; seat: number | "chance" }[];
  seats: number;
  hidden: boolean;
  chance: boolean;
  winners: number[] | null;
  /** The scores of a game that ended outside its rules. */
  result: number[] | null;
  /** Each seat's share at the end by the rules. */
  end: number[] | null;
  nodes: number;
  seed: number;
  /** The score that counts as an advantage of 1, where the game has exact values. */
  unit: number | null;
  curve: Curve;
}

/**
 * What a position was worth: each seat's chance with the best move, the best line, the chances after the move that was
 * made where the next position cannot tell them, and the score that each seat could expect where values are exact.
 */
export interface Value {
  chances: number[];
  line: string[];
  played?: number[];
  scores?: number[];
}
