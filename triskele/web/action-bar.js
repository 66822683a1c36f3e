/** What can be done now that is no place of the board: buttons for tokens, for turning, for a word of tokens. */

import { picture } from "./art.js";
import { button, h } from "./dom.js";
import { capital, has, say } from "./i18n.js";

/**
 * @typedef {import("./board.js").Board} Board
 */

/**
 * What a token is called; a sign with a seat (`?2`) by its sign.
 * @param {string} game @param {string} token @param {Board} board
 */
export function tokenWords(game, token, board) {
  const key = `${game}.token.${token}`;
  if (has(key)) return say(key);
  const [, sign, seat] = /^(\W)(\d+)$/.exec(token) ?? [];
  return has(`${game}.token.${sign}`) ? say(`${game}.token.${sign}`, { seat }) : (board.nameOf(token) ?? token);
}

/**
 * What is asked next inside a half-entered move, where the game has words for it: under `then.`, the words entered and
 * how many places (`then.v1`); `then.many` where only numbers can follow, `then.ready` where no place can.
 * @param {Board} board @param {string} game @returns {string | null}
 */
export function askedNext(board, game) {
  const { entry } = board;
  if (!entry?.tokens.length || entry.move) return null;
  const next = [...entry.next().keys()];
  const words = entry.tokens.filter((token) => !board.isPlace(token));
  const last = next.every((token) => /^\d+$/.test(token)) ? "many" : "ready";
  const places = entry.tokens.length - words.length || "";
  const key = `${game}.then.${next.some((token) => board.isPlace(token)) ? words.join("") + places : last}`;
  const values = next.map((token) => [token, tokenWords(game, token, board)]);
  return has(key) ? say(key, Object.fromEntries(values)) : null;
}

/**
 * Whether a token is one that a hand finds better as a button than on the board: a word, or a sign (`?2`, `.`) that
 * says what to do and not where.
 */
const isAction = (game, token, board) => !board.isPlace(token) || /^\W/.test(token) || has(`${game}.token.${token}`);

/**
 * The buttons for tokens that are no places.
 * @param {Board} board @param {string} game @returns {HTMLElement[]}
 */
export function actions(board, game) {
  if (board.turning) return turnButtons(board);
  if (!board.entry || board.entry.move || board.entry.word()) return [];
  const next = board.entry.next();
  const tokens = [...next.keys()].filter((token) => isAction(game, token, board));
  const whole = tokens.filter((token) => next.get(token) !== null);
  const begun = board.entry.tokens.length > 0 && whole.length === 1;
  const meant = next.size === 1 ? tokens[0] : begun ? whole[0] : null;
  return tokens.map((token) =>
    button(
      capital(tokenWords(game, token, board)),
      () => board.touch(token),
      { class: `button token${token === meant ? " primary" : ""}`, data: { token } },
    ));
}

/** @param {Board} board */
function turnButtons(board) {
  return [
    button(say("web.turn"), () => board.turn(1), { icon: "turn" }),
    button(say("web.put"), () => board.confirmTurn(), { icon: "check", class: "button primary" }),
  ];
}

/**
 * A picker for a word of tokens: a slot for each letter, and the letters to choose from.
 * @param {Board} board @param {string} title what is asked @param {(() => void) | null} cancel
 * @returns {HTMLElement | null}
 */
export function picker(board, title, cancel) {
  const word = board.entry && !board.entry.move ? board.entry.word() : null;
  if (!word) return null;
  const image = (token) => {
    const piece = board.pieceOn(token);
    return piece ? picture(piece.sprite) : token;
  };
  const next = board.entry.next();
  const door = board.entry.tokens.at(-1 - word.given.length); // what the word is for, where that was said
  const slots = [...word.given, ...Array(word.left).fill(null)];
  return h("div", { class: "picker" },
    h("p", {}, capital((door && board.nameOf(door)) || title)),
    h("ol", { class: "slots", "aria-label": say("web.chosen") },
      slots.map((token) => h(
        "li",
        { class: token ? "full" : "", "aria-label": token ? board.nameOf(token) : say("web.empty") },
        token ? image(token) : null,
      ))),
    h("div", { class: "letters" },
      word.alphabet.map((token) =>
        h(
          "button",
          {
            type: "button",
            class: "letter",
            "aria-label": board.nameOf(token) ?? token,
            disabled: !next.has(token),
            data: { token },
            on: { click: () => board.touch(token) },
          },
          image(token),
          h("span", { "aria-hidden": "true" }, token),
        ))),
    h("div", { class: "row" },
      word.given.length ? button(say("web.back"), () => board.back(), { icon: "undo" }) : null,
      cancel && !word.given.length ? button(say("web.cancel"), cancel) : null));
}
