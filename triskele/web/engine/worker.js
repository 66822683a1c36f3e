/**
 * The Worker of an engine: searches in slices, so that it hears within one slice that it is to stop.
 *
 * It answers every `search` by `found` messages, the last of which is `over`, by `stopped`, or by `failed`.
 */

/** @import { Found, FromWorker, Question, ToWorker } from "./messages.js" */

import { PageEngine } from "./page-engine.js";

const SLICE = 20; // milliseconds of a search between two looks at what is asked
const BETWEEN = 160; // milliseconds between two reports: six a second of each Worker are enough to read
const FIRST = 8; // milliseconds of the first slice: something is to be seen soon

/** @type {{postMessage: (message: FromWorker) => void, onmessage: ((event: MessageEvent<ToWorker>) => void) | null}} */
const scope = /** @type {Window & typeof globalThis} */ (self);

/** @type {Promise<PageEngine> | null} */
let engine = null;
let current = 0; // the search that is wanted; 0 for none

const channel = new MessageChannel();
/** @type {(() => void)[]} */
const waiting = [];
channel.port1.onmessage = () => waiting.shift()?.();

/** Let messages that have arrived be handled. @returns {Promise<void>} */
function others() {
  return new Promise((resolve) => {
    waiting.push(resolve);
    channel.port2.postMessage(null);
  });
}

/** Something could not be fetched. */
class Offline extends Error {
  reason = "offline";
}

/** @param {import("./messages.js").EngineAddresses} addresses @param {number} memoryMb */
async function load({ module, description }, memoryMb) {
  /** @param {string} address */
  const fetched = async (address) => {
    try {
      return await fetch(address);
    } catch {
      throw new Offline(address);
    }
  };
  const [code, about] = await Promise.all([fetched(module), fetched(description)]);
  if (!code.ok || !about.ok) throw new Offline(module);
  return PageEngine.load({ module: code, description: await about.json(), memoryMb });
}

/** @param {unknown} error */
const reasonOf = (error) =>
  error instanceof Error && "reason" in error
    ? String(error.reason)
    : error instanceof RangeError
      ? "memory"
      : "broken";

/** The words of a state from base64. @param {string} written */
function words(written) {
  const bytes = Uint8Array.from(atob(written), (letter) => letter.charCodeAt(0));
  return new BigInt64Array(bytes.buffer);
}

/** @param {number} id @param {Question} question */
async function search(id, { state, within = Infinity, ...question }) {
  const began = performance.now();
  try {
    const loaded = await engine;
    if (!loaded || id !== current) return void scope.postMessage({ type: "stopped", id });
    // What an opponent does depends on its level, its seed and the position, and not on what was analysed before.
    if (question.level !== undefined) loaded.forget();
    loaded.start({ state: words(state), ...question });
    let told = -Infinity;
    for (let slice = FIRST; ; slice = SLICE) {
      const left = within - (performance.now() - began);
      const { done, info } = loaded.resume(Math.max(1, Math.min(slice, left)));
      const now = performance.now();
      const over = done || now - began >= within;
      await others();
      if (id !== current) return void scope.postMessage({ type: "stopped", id });
      if ((over || now - told >= BETWEEN) && info.lines.length) {
        told = now;
        scope.postMessage({ type: "found", id, found: shown(info, loaded.search.sampled), over });
      }
      if (over) return;
    }
  } catch (error) {
    scope.postMessage({ type: "failed", id, reason: reasonOf(error) });
  }
}

/** @param {import("./page-engine.js").Info} info @param {boolean} sampled @returns {Found} */
function shown({ depth, nodes, lines }, sampled) {
  return { depth, nodes, sampled, lines: lines.map(({ texts, scores, proven }) => ({ texts, scores, proven })) };
}

scope.onmessage = ({ data }) => {
  if (data.type === "load") {
    engine = load(data.engine, data.memoryMb);
    engine.then(
      () => scope.postMessage({ type: "ready" }),
      (error) => scope.postMessage({ type: "failed", id: null, reason: reasonOf(error) }),
    );
  } else if (data.type === "search") {
    current = data.id;
    search(data.id, data.question);
  } else current = 0;
};
