/** What is in the JSON beside a module, and what a module exports: `docs/wasm.md` says what it means. */

export type ItemType =
  "int8" | "uint8" | "bool" | "int16" | "uint16" | "int32" | "uint32" | "int64" | "uint64" | "float32" | "float64";

export interface Argument {
  name: string;
  kind: "scalar" | "array" | "record";
  type?: string;
  dimensions?: number;
  members?: Argument[];
}

export interface Signature {
  name: string;
  arguments: Argument[];
  result: string | null;
}

/** A length that is known only when a question is asked. */
export interface Size {
  size: string;
  plus: number;
}

/** An array of a search's workspace: `fill` is in it at first, or it lies in the module's data, at `data`. */
export type Field =
  | { name: string; type: ItemType; shape: (number | Size)[]; fill: number }
  | { name: string; type: ItemType; shape: number[]; data: number };

export interface Level {
  number: number;
  seconds: number | null;
  nodes: number | null;
  depth: number | null;
  noise: number;
  oversight: number;
  lapses: number;
}

export interface Capacity {
  item_bytes: number;
  least: number;
  usual: number;
  most: number;
  nodes_per_second: number;
}

export interface Search {
  start: string;
  resume: string;
  statuses: Record<string, number>;
  question: { length: number; words: string[] };
  found: Record<string, number>;
  line: Record<string, number>;
  first_slice: number;
  sampled: boolean;
  capacity: Capacity | null;
  history: boolean;
  seed: number;
  appraises: boolean;
  exact: boolean;
  fields: Field[];
  levels: Level[];
}

export interface Description {
  format: number;
  game: string;
  exports: Signature[];
  search: Search | null;
}

/** The items of an array in a module's memory: a typed array of any kind. */
export interface Items extends Iterable<number | bigint> {
  [index: number]: number | bigint;
  length: number;
  byteLength: number;
  fill(value: number | bigint): unknown;
  set(values: ArrayLike<number | bigint>): void;
  subarray(begin: number, end: number): Items;
}

/** What an export takes for an argument: a record is a list of its members. */
export type Value = number | bigint | boolean | object | null | undefined;

/** The functions that a module exports, its memory, and where its own data end. */
export type Exports = Record<string, (...values: (number | bigint)[]) => number | bigint> & {
  memory: WebAssembly.Memory;
  __heap_base: WebAssembly.Global;
  search_data: WebAssembly.Global;
};
