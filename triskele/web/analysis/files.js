/** Files of an analysis: a record with variations, a picture, an animation. */

/** @import { AnalysisDocument } from "../lib/protocol.js" */

import { download } from "../lib/api.js";
import { theme } from "../lib/settings.js";

/** Let the browser save something. @param {Blob} blob @param {string} name */
function save(blob, name) {
  const address = URL.createObjectURL(blob);
  const link = document.createElement("a");
  [link.href, link.download] = [address, name];
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** @param {AnalysisDocument} document @param {"json" | "sgf"} kind */
export async function saveRecord(document, kind) {
  save(await download(`/analysis/file/${kind}`, document), `${document.game}-analysis.${kind}`);
}

/** @param {object} place of the position, with its marks @param {string} game */
export async function savePicture(place, game) {
  save(await download("/analysis/picture", { ...place, theme: theme() }), `${game}.png`);
}

/** @param {object} place of the last position, with the marks of those before @param {string} game */
export async function saveAnimation(place, game) {
  save(await download("/analysis/animation", { ...place, theme: theme() }), `${game}-moves.png`);
}
