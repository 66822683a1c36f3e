// A game's WebAssembly module: its memory, its exports, and what can be wrong with it.
//
// Nothing here needs a page: Workers, node and other people's sites use it as it is. docs/wasm.md says how.

/** The format of modules and descriptions that this file reads. */
export const FORMAT = 4;

/** A module with one function that uses SIMD. */
const SIMD = [
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
];
const PAGE = 65536;
const ALIGNMENT = 64;
const ARRAYS = {
  int8: Int8Array,
  uint8: Uint8Array,
  bool: Uint8Array,
  int16: Int16Array,
  uint16: Uint16Array,
  int32: Int32Array,
  uint32: Uint32Array,
  int64: BigInt64Array,
  uint64: BigUint64Array,
  float32: Float32Array,
  float64: Float64Array,
};

/** @typedef {"version" | "truncated" | "memory" | "unsupported" | "policy" | "argument"} Reason */
/** @import { Argument, Description, Exports, ItemType, Items, Signature, Value } from "./description.js" */

/**
 * Something that the module or its user cannot do. `reason` is for programs: the module or its description is of another
 * `version` or build, the file is `truncated` or damaged, there is no `memory` left, the browser or the module does not
 * have what is needed (`unsupported`), the page's `policy` forbids WebAssembly, or an `argument` is wrong.
 */
export class ModuleError extends Error {
  /**
   * @param {Reason} reason
   * @param {string} message
   */
  constructor(reason, message) {
    super(message);
    this.name = "ModuleError";
    this.reason = reason;
  }
}

/** An array in the module's memory. Do not keep `values`, a typed array: it is void once memory has grown. */
export class WasmArray {
  /**
   * @param {WasmModule} module
   * @param {number} at
   * @param {ItemType} type
   * @param {number[]} lengths
   */
  constructor(module, at, type, lengths) {
    this.module = module;
    this.at = at;
    this.type = type;
    this.lengths = lengths;
  }

  get values() {
    const items = this.lengths.reduce((product, length) => product * length, 1);
    /** @type {unknown} */
    const values = new ARRAYS[this.type](this.module.memory.buffer, this.at, items);
    return /** @type {Items} */ (values);
  }
}

/** A module with its memory; `call` calls its exports. */
export class WasmModule {
  /**
   * @param {WebAssembly.Module} compiled
   * @param {Description} description
   */
  constructor(compiled, description) {
    checkFormat(description);
    this.description = description;
    try {
      /** @type {unknown} */
      const exports = new WebAssembly.Instance(compiled, {}).exports;
      this.exports = /** @type {Exports} */ (exports);
    } catch (error) {
      throw new ModuleError("memory", `${description.game}.wasm cannot be started: ${messageOf(error)}`);
    }
    /** @type {Map<string, Signature>} */
    this.signatures = new Map(description.exports.map((signature) => [signature.name, signature]));
    for (const name of this.signatures.keys()) {
      if (!(name in this.exports)) {
        throw new ModuleError("version", `${description.game}.wasm and its JSON are of different builds`);
      }
    }
    /** @type {WebAssembly.Memory} */
    this.memory = this.exports.memory;
    /** @type {number} */
    this.top = this.exports.__heap_base.value;
    /** @type {WasmArray | null} */
    this.text = null;
  }

  /** Return a new array of zeros. Memory grows as needed and is never given back: make arrays once. */
  array(/** @type {ItemType} */ type, /** @type {number[]} */ ...lengths) {
    const bytes = lengths.reduce((product, length) => product * length, ARRAYS[type].BYTES_PER_ELEMENT);
    const at = Math.ceil(this.top / ALIGNMENT) * ALIGNMENT;
    const missing = at + bytes - this.memory.buffer.byteLength;
    if (missing > 0) {
      try {
        this.memory.grow(Math.ceil(missing / PAGE));
      } catch {
        throw new ModuleError("memory", "there is not enough memory");
      }
    }
    this.top = at + bytes;
    const made = new WasmArray(this, at, type, lengths);
    made.values.fill(type.endsWith("int64") ? 0n : 0);
    return made;
  }

  /** Return an array that is in memory already, such as a part of the module's data. */
  arrayAt(/** @type {number} */ at, /** @type {ItemType} */ type, /** @type {number[]} */ lengths) {
    return new WasmArray(this, at, type, lengths);
  }

  /**
   * Call an export. Integers may be numbers or BigInts; an integer comes back as a BigInt. A failure traps.
   * @param {string} name
   * @param {Value[]} values
   */
  call(name, ...values) {
    const signature = this.signatures.get(name);
    if (signature === undefined) throw new ModuleError("unsupported", `the module has no function ${name}`);
    if (values.length !== signature.arguments.length) {
      const wanted = signature.arguments.map((argument) => argument.name).join(", ");
      throw new ModuleError("argument", `${name} takes ${wanted}`);
    }
    /** @type {(number | bigint)[]} */
    const flat = [];
    signature.arguments.forEach((argument, number) => pass(argument, values[number], flat));
    return this.exports[name](...flat);
  }

  /** Return the text of a move by its code; `state` is any state with the same options. */
  moveText(/** @type {WasmArray} */ state, /** @type {number} */ code) {
    this.text ??= this.array("uint8", 96);
    const length = Number(this.call("write_move", state, code, this.text));
    return String.fromCharCode(...Array.from(this.text.values.subarray(0, length), Number));
  }
}

/** Add to `flat` what an export takes for one argument. */
function pass(/** @type {Argument} */ argument, /** @type {Value} */ value, /** @type {(number | bigint)[]} */ flat) {
  if (argument.kind === "record") {
    const parts = /** @type {Value[]} */ (value);
    argument.members?.forEach((member, number) => pass(member, parts[number], flat));
  } else if (argument.kind === "array") {
    if (!(value instanceof WasmArray) || value.type !== argument.type || value.lengths.length !== argument.dimensions) {
      const wanted = `an array of ${argument.type} with ${argument.dimensions} dimensions`;
      throw new ModuleError("argument", `${argument.name} is ${wanted}`);
    }
    flat.push(value.at, ...value.lengths);
  } else {
    const { type = "" } = argument;
    const number = /** @type {number | bigint | boolean} */ (value);
    flat.push(type.startsWith("float") || type === "bool" ? Number(number) : BigInt(number));
  }
}

/** Refuse a description that this file cannot read. */
function checkFormat(/** @type {Description} */ description) {
  if (description?.format !== FORMAT) {
    const found = `${description?.game}.json has format ${description?.format}`;
    throw new ModuleError("version", `${found}; this script reads format ${FORMAT}`);
  }
}

function messageOf(/** @type {unknown} */ error) {
  return error instanceof Error ? error.message : String(error);
}

/**
 * Compile a module; throws a ModuleError that says what is in the way.
 * @param {ArrayBuffer | ArrayBufferView | Response | WebAssembly.Module} source
 * @param {Description} description
 * @returns {Promise<WebAssembly.Module>}
 */
export async function compile(source, description) {
  if (typeof WebAssembly === "undefined" || typeof BigInt64Array === "undefined") {
    throw new ModuleError("unsupported", "this browser has no WebAssembly");
  }
  checkFormat(description);
  if (source instanceof WebAssembly.Module) return source;
  let bytes = source;
  if (typeof Response !== "undefined" && source instanceof Response) {
    if (!source.ok) throw new ModuleError("truncated", `${source.url}: ${source.status}`);
    try {
      bytes = await source.arrayBuffer();
    } catch (error) {
      throw new ModuleError("truncated", `${description.game}.wasm did not arrive: ${messageOf(error)}`);
    }
  }
  try {
    return await WebAssembly.compile(/** @type {BufferSource} */ (bytes));
  } catch (error) {
    const message = messageOf(error);
    const why = `${description.game}.wasm cannot be used: ${message}`;
    if (/polic|\bCSP\b|unsafe-eval|disallowed/i.test(message)) throw new ModuleError("policy", why);
    if (error instanceof RangeError) throw new ModuleError("memory", why);
    const isCapable = WebAssembly.validate(new Uint8Array(SIMD));
    throw new ModuleError(isCapable ? "truncated" : "unsupported", why);
  }
}
