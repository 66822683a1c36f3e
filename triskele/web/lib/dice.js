/**
 * Dice that prove themselves, computed by the browser: the recipe of `triskele/core/dice.py`, written out a second time
 * so that nobody has to take the server's word.
 *
 * With `E(…)` for its parts one after the other, each behind its length as four bytes (numbers are eight bytes, texts
 * UTF-8; most significant byte first):
 *
 *     commitment   = SHA-256(E("triskele-dice/1 commitment", id, faces, secret))
 *     seed hash    = SHA-256(E("triskele-dice/1 seed", id, seat, seed))
 *     bits(roll i) = HMAC-SHA-256(secret, E("triskele-dice/1 roll", id, i, attempt, seed of seat 0, …))
 */

/** @import { WeightedOutcome } from "./protocol.js" */

const DOMAIN = "triskele-dice/1";
const BITS = 256;

/** Whether this browser computes hashes here: pages may do so over HTTPS, and on the server's own machine. */
export const canCompute = () => Boolean(globalThis.crypto?.subtle);

/** @param {string | number | Uint8Array} part */
function bytesOf(part) {
  if (part instanceof Uint8Array) return part;
  if (typeof part === "string") return new TextEncoder().encode(part);
  const eight = new Uint8Array(8);
  new DataView(eight.buffer).setBigUint64(0, BigInt(part));
  return eight;
}

/** @param {...(string | number | Uint8Array)} parts */
function encode(...parts) {
  const all = parts.map(bytesOf);
  const encoded = new Uint8Array(all.reduce((length, part) => length + 4 + part.length, 0));
  const view = new DataView(encoded.buffer);
  let at = 0;
  for (const part of all) {
    view.setUint32(at, part.length);
    encoded.set(part, at + 4);
    at += 4 + part.length;
  }
  return encoded;
}

/** @param {string} hex */
const fromHex = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (byte) => parseInt(byte, 16));

/** @param {ArrayBuffer} buffer */
const toHex = (buffer) => [...new Uint8Array(buffer)].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** @param {...(string | number | Uint8Array)} parts */
const hashed = async (...parts) => toHex(await crypto.subtle.digest("SHA-256", encode(...parts)));

/** The hash of a seat's seed, which is public before the first roll. @param {string} id @param {number} seat @param {string} seed */
export const seedHash = (id, seat, seed) => hashed(`${DOMAIN} seed`, id, seat, seed);

/** The dice of one game, all rolls fixed. */
export class Dice {
  /** @type {Promise<CryptoKey> | null} */
  #key = null;

  /** @param {{id: string, faces: number, secret: string, seeds: (string | null)[]}} known the secret in hexadecimal */
  constructor({ id, faces, secret, seeds }) {
    this.id = id;
    this.faces = faces;
    this.secret = fromHex(secret);
    this.seeds = seeds.map((seed) => seed ?? "");
  }

  /** What had to be published before the first roll. */
  commitment() {
    return hashed(`${DOMAIN} commitment`, this.id, this.faces, this.secret);
  }

  /** The number of a roll, counted from 0: uniform from 0 to `total - 1`. @param {number} index @param {number} total */
  async below(index, total) {
    const width = Math.max(1, (total - 1).toString(2).length);
    for (let attempt = 0; ; attempt += 1) {
      const bits = await this.#bits(index, attempt);
      for (let at = 0; at + width <= BITS; at += width) {
        const number = parseInt(bits.slice(at, at + width), 2);
        if (number < total) return number;
      }
    }
  }

  /** 256 random bits as a text of zeros and ones. @param {number} index @param {number} attempt */
  async #bits(index, attempt) {
    const algorithm = { name: "HMAC", hash: "SHA-256" };
    this.#key ??= crypto.subtle.importKey("raw", this.secret, algorithm, false, ["sign"]);
    const message = encode(`${DOMAIN} roll`, this.id, index, attempt, ...this.seeds);
    const mac = new Uint8Array(await crypto.subtle.sign("HMAC", await this.#key, message));
    return [...mac].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  }

  /** What a roll had to bring, of the outcomes that there were. @param {number} index @param {WeightedOutcome[]} outcomes */
  async due(index, outcomes) {
    let left = await this.below(
      index,
      outcomes.reduce((sum, [, weight]) => sum + weight, 0),
    );
    for (const [text, weight] of outcomes) {
      left -= weight;
      if (left < 0) return text;
    }
    return null;
  }
}
