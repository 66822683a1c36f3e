/** An analysis in an address: the whole of it, packed, so that nobody has to keep it. */

/** @import { AnalysisDocument } from "../lib/protocol.js" */

const LONGEST = 6000; // characters of an address that chat programs and browsers still take

/** @param {Uint8Array} bytes */
const written = (bytes) =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");

/** @param {string} text */
const bytesOf = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));

/** @param {Uint8Array} bytes @param {CompressionStream | DecompressionStream} through */
async function passed(bytes, through) {
  const body = new Response(bytes.slice().buffer).body;
  if (!body) throw new Error("nothing to pass");
  return new Uint8Array(await new Response(body.pipeThrough(through)).arrayBuffer());
}

/** Pack an analysis; nothing where it is too long for an address. @param {AnalysisDocument} document */
export async function pack(document) {
  const bytes = new TextEncoder().encode(JSON.stringify(document));
  // The form with a checksum at its end: a link that was cut does not pass for a shorter one.
  const packed = written(await passed(bytes, new CompressionStream("deflate")));
  return packed.length > LONGEST ? null : packed;
}

/** Read a packed analysis; rejects when the link was cut or changed. @param {string} packed @returns {Promise<AnalysisDocument>} */
export async function unpack(packed) {
  const bytes = await passed(bytesOf(packed), new DecompressionStream("deflate"));
  return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
}
