/** The analyses that this browser keeps: the newest first, a bounded number of them. */

/** @import { AnalysisDocument } from "../lib/protocol.js" */

const STORE = "triskele-analyses";
const MOST = 60;

/** @typedef {{id: string, changed: number, document: AnalysisDocument}} Kept */

/** @returns {Kept[]} */
export function keptAnalyses() {
  try {
    const found = JSON.parse(localStorage.getItem(STORE) ?? "[]");
    return Array.isArray(found) ? found : [];
  } catch {
    return [];
  }
}

/** @param {string} id @returns {AnalysisDocument | null} */
export const keptAnalysis = (id) => keptAnalyses().find((each) => each.id === id)?.document ?? null;

export const newId = () => Array.from(crypto.getRandomValues(new Uint8Array(6)), (n) => n.toString(36)).join("");

/** Keep an analysis under its id; returns whether the browser could. @param {string} id @param {AnalysisDocument} document */
export function keep(id, document) {
  const others = keptAnalyses().filter((each) => each.id !== id);
  return write([{ id, changed: Date.now(), document }, ...others].slice(0, MOST));
}

/** @param {string} id */
export const forget = (id) => write(keptAnalyses().filter((each) => each.id !== id));

/** @param {Kept[]} list */
function write(list) {
  try {
    localStorage.setItem(STORE, JSON.stringify(list));
    return true;
  } catch {
    return false; // no space, or a browser that keeps nothing
  }
}
