/** What can be done now that is no place of the board: buttons for tokens, for rotating, for a word of tokens. */

/** @import { AmountControl } from "./amount-control.js" */
/** @import { Board } from "../board/board.js" */
/** @import { Game, Place, Prompt } from "../lib/protocol.js" */

import { Entry } from "../board/entry.js";
import { spriteImage } from "../board/sprites.js";
import { button, h } from "../lib/dom.js";
import { capital, has, say } from "../lib/i18n.js";

/**
 * What a place is for, in words with the names of players; empty where it is for itself.
 * @param {Place | undefined} place @param {(seat: number) => string} name of the player at a seat, from 1
 */
const actionWords = (place, name) => place?.action?.replace(/\{(\d+)\}/g, (_, seat) => name(Number(seat))) ?? "";

/**
 * What a token is called on a button.
 * @param {string} game @param {string} token @param {Board} board
 * @param {(seat: number) => string} [name] of the player at a seat, from 1
 */
function tokenWords(game, token, board, name = (seat) => String(seat)) {
  const place = board.place(token);
  const key = `${game}.token.${token}`;
  return actionWords(place, name) || (has(key) ? say(key) : (place?.name ?? token));
}

/**
 * What is asked next inside a half-entered move, where the game has a prompt for it.
 * @param {Board} board @param {Prompt[]} prompts @returns {string | null}
 */
export function askedNext(board, prompts) {
  const { entry } = board;
  if (!entry?.tokens.length || entry.move) return null;
  const { tokens } = entry;
  const toPlace = [...entry.next().keys()].some((token) => board.isPlace(token));
  const found = prompts.find(
    ({ after, place }) =>
      place === toPlace &&
      after.length === tokens.length &&
      after.every((token, i) => (token === null ? board.isPlace(tokens[i]) : token === tokens[i])),
  );
  return found?.text ?? null;
}

/**
 * Whether a token is easier to find as a button than on the board: it is no place, or a place that says what to do and
 * not where.
 * @param {string} token @param {Board} board
 */
function isAction(token, board) {
  const place = board.place(token);
  return !place || Boolean(place.action);
}

/**
 * The buttons for tokens that are no places.
 * @param {Board} board @param {Game} game @param {AmountControl} amount @param {(seat: number) => string} name @returns {HTMLElement[]}
 */
export function actions(board, game, amount, name) {
  if (board.rotating) return rotationButtons(board);
  const { entry } = board;
  if (!entry || entry.move || entry.word()) return [];
  if (board.amounts) return [...(board.begun ? instead(board, game) : []), ...amount.elements];
  const next = entry.next();
  const tokens = [...next.keys()].filter((token) => isAction(token, board));
  const whole = tokens.filter((token) => next.get(token) !== null);
  const begun = entry.tokens.length > 0 && whole.length === 1;
  // What can be done out of turn never calls for it: it may be the end.
  const due = !entry.moves.every(({ interrupt }) => interrupt);
  const primary = next.size === 1 && due ? tokens[0] : begun ? whole[0] : null;
  return tokens.map((token) =>
    button(capital(tokenWords(game.name, token, board, name)), () => board.touch(token), {
      class: `button token${token === primary ? " primary" : ""}`,
      data: { token },
    }),
  );
}

/**
 * The buttons for what can be done instead of what was begun without a tap.
 * @param {Board} board @param {Game} game @returns {HTMLElement[]}
 */
function instead(board, game) {
  const first = new Entry(board.entry?.moves ?? []).next();
  const tokens = [...first.keys()].filter((token) => isAction(token, board));
  return tokens.map((token) =>
    button(capital(tokenWords(game.name, token, board)), () => board.touch(token), {
      class: "button token",
      data: { token },
    }),
  );
}

/** @param {Board} board */
function rotationButtons(board) {
  return [
    button(say("web.turn"), () => board.rotate(1), { icon: "turn" }),
    button(say("web.put"), () => board.confirmRotation(), { icon: "check", class: "button primary" }),
  ];
}

/** What a token looks like: the piece that lies there, or its letter. @param {Board} board @param {string} token */
function tokenImage(board, token) {
  const piece = board.pieceOn(token);
  return piece ? spriteImage(piece.sprite) : token;
}

/**
 * A move that a picker asks for, as pictures; nothing for any other move.
 * @param {Board} board @param {string} text of the move
 */
export function pickedPictures(board, text) {
  const word = board.entry?.word();
  const spelling = word && board.entry?.moves.find((move) => move.text === text)?.spellings[0];
  if (!word || !spelling) return null;
  const tokens = spelling.slice(-(word.given.length + word.left));
  const names = tokens.map((token) => board.place(token)?.name ?? token);
  return h(
    "span",
    { class: "pictures", role: "img", "aria-label": names.join(", ") },
    tokens.map((token) => tokenImage(board, token)),
  );
}

/**
 * A picker for a word of tokens: a slot for each letter, and the letters to choose from.
 * @param {Board} board @param {string} title what is asked @param {(() => void) | null} cancel
 * @param {(() => void) | null} hint asks for a hint; the tools that have it are covered on a phone
 * @param {(seat: number) => string} [name] of the player at a seat, from 1, where there are players
 * @returns {HTMLElement | null}
 */
export function picker(board, title, cancel, hint, name) {
  const { entry } = board;
  const word = entry && !entry.move ? entry.word() : null;
  if (!entry || !word) return null;
  /** @param {string} token */
  const image = (token) => tokenImage(board, token);
  const next = entry.next();
  const before = entry.tokens.at(-1 - word.given.length); // what the word is for, where that was entered
  const place = before === undefined ? undefined : board.place(before);
  const purpose = (name && actionWords(place, name)) || place?.name;
  /** @type {(string | null)[]} */
  const slots = [...word.given, ...Array(word.left).fill(null)];
  return h(
    "div",
    { class: "picker" },
    h("p", {}, capital(purpose || title)),
    h(
      "ol",
      { class: "slots", "aria-label": say("web.chosen") },
      slots.map((token) =>
        h(
          "li",
          { class: token ? "full" : "", "aria-label": token ? board.place(token)?.name : say("web.empty") },
          token ? image(token) : null,
        ),
      ),
    ),
    h(
      "div",
      { class: "letters" },
      word.alphabet.map((token) =>
        h(
          "button",
          {
            type: "button",
            class: "letter",
            "aria-label": board.place(token)?.name ?? token,
            disabled: !next.has(token),
            data: { token },
            on: { click: () => board.touch(token) },
          },
          image(token),
          h("span", { "aria-hidden": "true" }, token),
        ),
      ),
    ),
    h(
      "div",
      { class: "row" },
      cancel && !word.given.length
        ? button(say("web.cancel"), cancel)
        : button(say("web.back"), () => board.back(), { icon: "undo", disabled: !word.given.length }),
      hint ? button(say("web.hint"), hint, { icon: "hint" }) : null,
    ),
  );
}
