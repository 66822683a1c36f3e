/** A table on the page: its parts, and drawing them. What a person does in them is passed on as a command. */

/** @import { Hint, OfferKind } from "../lib/protocol.js" */
/** @import { GameController } from "./game-controller.js" */
/** @import { TableDice } from "./table-dice.js" */

import { byId, button, fill, h } from "../lib/dom.js";
import { capital, number, say } from "../lib/i18n.js";
import { speak } from "../lib/toasts.js";
import { setting, theme } from "../lib/settings.js";
import { setTitle } from "../lib/title.js";
import { actions, askedNext, pickedPictures, picker } from "./action-bar.js";
import { AmountControl } from "./amount-control.js";
import * as sheets from "./bottom-sheets.js";
import { menu } from "./menu.js";
import { moveWords } from "./move-words.js";
import { ownOffer, standingOffer } from "./offers.js";
import { strips } from "./player-strips.js";
import { briefNameOf, nameOf } from "./seat-names.js";
import { RefusalBubble } from "./refusal-bubble.js";
import { SidePanel, newDot } from "./side-panel.js";
import { awaySheet, claimRow } from "./time-sheets.js";

const MANY = 30; // with more places lit than this, each is lit less

/**
 * @typedef {{undo: boolean, hint: boolean, resign: boolean, chat: boolean, analysis: boolean}} Can
 * @typedef {{
 *   controller: GameController, thinking: Set<number>, slow: boolean, hint: Hint | null, dismissed: Set<string>,
 *   analysis: {on: boolean, panel: HTMLElement | null}, dice: TableDice,
 *   ratings: Element | null, can: Can
 * }} State the game, and what is going on beside it; `thinking`: the seats of engines at work; `slow`: an engine is
 *   getting ready, which takes its time; `dismissed`: the bottom sheets that were closed
 * @typedef {{
 *   undo: () => void, hint: () => void, playHint: () => void, closeHint: () => void, resign: () => void,
 *   draw: () => void, rematch: () => void, level: () => void, share: () => void, withdraw: () => void,
 *   prove: () => void, analyse: () => void, prepareAnalysis: () => void, invite: (seat: number) => void,
 *   sit: () => void, turnBoard: () => void, answer: (what: OfferKind, accept: boolean) => void, dismiss: (what: string) => void,
 *   claim: (engine: boolean) => void, back: (seat: number) => void, conditional: () => void, keys: () => void
 * }} Commands what a person can do
 */

/** @param {GameController} controller */
const skipButton = (controller) =>
  button(say("web.skip-ahead"), () => controller.skip(), { icon: "next", class: "button skip-ahead" });

/** @param {GameController} controller */
const repeatButton = (controller) =>
  controller.canRepeat
    ? button(say("web.rest-there", { n: controller.canRepeat }), () => controller.repeat(), { class: "button repeat" })
    : null;

export class TableView {
  /** @type {GameController | null} */
  #shown = null;
  #amount = new AmountControl(() => this.#shown);
  #raised = false;
  #menuKey = "";
  #switchKey = "";
  #asked = "";

  /**
   * @param {HTMLElement} host @param {import("./model.js").TableModel} model
   * @param {import("./replay.js").Replay} replay @param {Commands} commands
   * @param {{moves: import("./move-list.js").MoveList, chat: import("./chat.js").Chat}} parts
   */
  constructor(host, model, replay, commands, parts) {
    this.model = model;
    this.replay = replay;
    this.commands = commands;
    this.parts = parts;
    /** @type {((words: string, fresh: boolean) => void) | null} called when something else is asked; `fresh`: nothing was */
    this.onAsked = null;
    /** @type {(() => void) | null} called when something around the board is touched */
    this.onTouched = null;
    this.above = h("div", { class: "strips above" });
    this.lost = h("div", { class: "lost", role: "status", hidden: true }, say("web.connection-lost"));
    this.curtain = h("div", { class: "curtain", hidden: true });
    this.refusal = new RefusalBubble();
    this.turn = button(say("web.turn-board"), () => commands.turnBoard(), {
      icon: "flip",
      bare: true,
      class: "button bare turn-board",
      hidden: true,
    });
    this.standing = h("div", { class: "lost standing", role: "status", hidden: true });
    const over = [this.curtain, this.lost, this.standing, this.refusal.element];
    this.boardbox = h("div", { class: "boardbox" }, this.turn, over);
    this.mine = h("div", { class: "strips" });
    this.actions = h("div", { class: "actions", role: "group", "aria-label": say("web.actions") });
    this.sheet = h("div", { class: "sheet", hidden: true });
    this.toolbar = h("div", { class: "toolbar", role: "toolbar", "aria-label": say("web.tools") });
    this.bar = h("div", { class: "player bar", role: "group", "aria-label": say("web.replay"), hidden: true });
    this.below = h("div", { class: "below" }, this.mine, this.actions, this.bar, this.toolbar, this.sheet);
    this.player = h("div", { class: "player", role: "group", "aria-label": say("web.replay") });
    const prepare = () => commands.prepareAnalysis();
    // Whoever comes near the switch is about to press it: what it needs is fetched meanwhile.
    this.analysisKey = h("div", { class: "analysis-key", on: { pointerenter: prepare, focusin: prepare } });
    this.analysis = h("div");
    this.side = new SidePanel();
    this.side.add("moves", say("web.moves"), this.analysisKey, this.analysis, parts.moves.element, this.player);
    this.side.add("chat", say("web.chat"), parts.chat.lines, parts.chat.form);
    this.help = this.side.add("help", say("web.help"));
    this.menu = this.side.add("table", say("web.table"));
    const scrim = h("div", { class: "scrim", on: { click: () => this.side.close() } });
    const board = { class: "stage", "aria-label": say("web.board"), on: { pointerdown: () => this.onTouched?.() } };
    const stage = h("section", board, this.above, this.boardbox, this.below);
    fill(host, h("div", { class: "table-page" }, stage, this.side.element, scrim));
  }

  /** Put the board in its place. @param {SVGSVGElement} svg */
  placeBoard(svg) {
    this.boardbox.prepend(svg);
    svg.addEventListener("pointerdown", () => this.refusal.hide()); // whatever is done next, it has been read
    svg.setAttribute("aria-label", this.model.title);
  }

  /** How many moves the position in sight has. */
  get at() {
    return this.replay.at ?? this.model.moves.length;
  }

  /** @param {State} state */
  draw(state) {
    const inside = this.below.contains(document.activeElement);
    this.#drawStrips(state);
    this.#drawActions(state.controller);
    this.#drawSheet(state);
    this.#drawStanding();
    this.#drawCurtain(state.controller);
    const { activeElement } = document;
    const lost = !this.below.contains(activeElement) || activeElement?.closest("[inert]");
    // The button that was pressed may be gone or covered: the keyboard goes to what is asked next.
    if (inside && lost) this.#focusFirst(this.sheet.hidden ? this.actions : this.sheet, state.controller);
    if (this.#raised) this.#focusFirst(this.sheet.hidden ? null : this.sheet, state.controller);
    this.#raised = false;
    this.#drawSide(state);
    this.#drawTools(state);
    this.#drawTitle(state.controller);
  }

  /** Bring the keyboard to the first button of an element, or else to the board. @param {Element | null} element @param {GameController} controller */
  #focusFirst(element, { board }) {
    /** @type {HTMLElement | null | undefined} */
    const first = element?.querySelector("button:not(:disabled)");
    if (first) first.focus();
    else board.focus();
  }

  // --- around the board --------------------------------------------------------------------------

  /** What is asked of which seat here, if need be inside a half-entered move. @param {GameController} controller */
  #askedNow({ asked, board, game, amountNote, askedNext: asks }) {
    const held = board.holding ? say("web.tap-again") : "";
    const next = held || amountNote || asks || (board.begun ? null : askedNext(board, game.prompts));
    return next === null ? asked : new Map([...asked.keys()].map((seat) => [seat, next]));
  }

  /** @param {State} state */
  #drawStrips({ controller, thinking, slow }) {
    const { model, commands } = this;
    const { game } = controller;
    const secrets = game.hidden && model.mine.length > 1 && !model.over;
    const { above, below } = strips({
      model,
      sprites: game.seat_sprites,
      thinking,
      slow,
      facts: controller.facts,
      asked: this.#askedNow(controller),
      back: controller.canStepBack ? () => controller.stepBack() : null,
      invite: commands.invite,
      sit: !model.private && !model.mine.length && !model.over ? commands.sit : null,
      story: game.tells
        ? (seat) => (controller.story.tellsOf(seat) ? () => controller.story.show(game.seat_sprites) : null)
        : null,
      choose: secrets ? (seat) => controller.lowerCurtain(seat) : null,
      shown: controller.curtain ?? controller.seat,
      past: controller.past,
      over: controller.concluded,
      turn: controller.turn,
    });
    this.above.classList.toggle("crowd", above.length > 1);
    fill(this.above, above);
    fill(this.mine, below);
  }

  /** @param {GameController} controller */
  #drawActions(controller) {
    const { board, game, canTurn } = controller;
    this.actions.hidden = !game.buttons; // else their space is kept when there are none: the board stays as it is
    if (!board.amounts) controller.amount = "";
    this.#shown = controller;
    const counting = this.#amount.update(controller);
    /** @param {number} seat from 1 */
    const name = (seat) => briefNameOf(this.model, seat - 1);
    const offered = () => [...actions(board, game, this.#amount, name), repeatButton(controller)];
    if (!counting) fill(this.actions, this.#telling(controller) ?? offered());
    this.turn.hidden = !canTurn;
    board.svg.classList.toggle("no-coordinates", !setting("coordinates"));
    board.svg.classList.toggle("many", (board.entry?.next().size ?? 0) > MANY);
  }

  /** What the last move of another did, where its game tells it, and the way to skip ahead. @param {GameController} controller */
  #telling(controller) {
    const { canSkip, telling } = controller;
    if (!canSkip && !telling) return null;
    const name = telling && telling.seat !== "chance" ? nameOf(this.model, telling.seat) : "";
    const words = telling && h("p", { class: "telling" }, name ? h("b", {}, name) : null, " ", capital(telling.words));
    return [words, canSkip ? skipButton(controller) : null];
  }

  /** @param {State} state */
  #drawSheet(state) {
    const content = this.#urgentSheet(state) ?? this.#quietSheet(state);
    this.sheet.hidden = !content;
    // It lies over these: the keyboard must not go where nothing is seen.
    for (const part of [this.mine, this.actions, this.bar, this.toolbar]) part.inert = Boolean(content);
    this.sheet.classList.toggle("advice", content?.classList.contains("hint") ?? false);
    fill(this.sheet, content);
  }

  /** What must be answered before anything else. @param {State} state */
  #urgentSheet({ controller, dismissed, dice, ratings }) {
    const { model, commands } = this;
    const away = awaySheet(model, commands.back);
    if (away) return away;
    if (controller.confirming) {
      const answers = { back: () => controller.stepBack(), yes: () => controller.confirm() };
      const { move, note } = controller.confirming;
      return sheets.confirmation(moveWords(controller.game, move, model), note, answers);
    }
    const offer = sheets.openOffer(model);
    if (offer) return sheets.offered(model, offer, (accept) => commands.answer(offer.what, accept));
    if (!controller.concluded || controller.past || dismissed.has("result")) return null;
    const next = { ...commands, review: () => commands.dismiss("result") };
    return sheets.result(model, controller.facts, controller.game.seat_sprites, dice.verdictView(), ratings, next);
  }

  /** @param {State} state */
  #quietSheet({ controller, dismissed, hint, slow, can }) {
    const { model, commands } = this;
    const waiting = !model.over && !dismissed.has("waiting");
    const invitations = waiting ? sheets.invitations(model, () => commands.dismiss("waiting")) : null;
    if (invitations) return invitations;
    const { board } = controller;
    const answers = { close: commands.closeHint, play: commands.playHint };
    if (hint) {
      const words = moveWords(controller.game, hint.move, model);
      return sheets.hintSheet(words, { ...hint, slow }, answers, pickedPictures(board, hint.move));
    }
    const cancel = board.entry?.tokens.length ? () => controller.stepBack() : null;
    const asked = model.look(controller.actor)?.ask ?? "";
    const name = (/** @type {number} */ seat) => nameOf(model, seat - 1);
    return picker(board, asked, cancel, can.hint ? commands.hint : null, name);
  }

  /** The offer of mine that waits for an answer, unless the result says it. */
  #drawStanding() {
    const { model, commands } = this;
    const offer = this.sheet.querySelector(".result") ? undefined : ownOffer(model);
    const claim = claimRow(model, commands.claim);
    this.standing.hidden = !offer && !claim;
    fill(this.standing, claim ?? (offer ? standingOffer(model, offer, commands.withdraw) : null));
  }

  /** @param {GameController} controller */
  #drawCurtain(controller) {
    const seat = controller.curtain;
    if (this.curtain.hidden === (seat === null)) return;
    this.curtain.hidden = seat === null;
    if (seat === null) return void fill(this.curtain);
    const words = say("web.curtain", { name: nameOf(this.model, seat) });
    const raise = () => {
      controller.raiseCurtain();
      this.#raised = true;
    };
    const show = button(say("web.curtain-show"), raise, { icon: "eye", class: "button primary" });
    const why = h("p", { class: "muted" }, say("web.curtain-why"));
    fill(this.curtain, h("div", {}, h("b", {}, words), why, show));
    speak(words);
    show.focus();
  }

  // --- beside the board --------------------------------------------------------------------------

  /** @param {State} state */
  #drawSide({ controller, can, analysis, dice }) {
    const { model, side, parts } = this;
    const facts = controller.facts.filter((fact) => fact.seat === null).map((fact) => fact.words);
    side.describe(model.title, facts.map(capital).join(" · "));
    side.offer("chat", can.chat);
    side.main.classList.toggle("past", this.replay.at !== null);
    parts.moves.update(model, controller.game, this.at, controller.unseen);
    parts.chat.update(model);
    const wait = h("p", { class: "muted" }, capital(say("web.thinking")));
    const height = this.analysis.offsetHeight;
    this.#drawSwitch(can.analysis, analysis.on);
    const shown = analysis.on ? (analysis.panel ?? wait) : null;
    if (!shown || shown.parentNode !== this.analysis) fill(this.analysis, shown); // its lines may have the focus
    if (this.analysis.offsetHeight !== height) parts.moves.reveal(); // there is more or less space for the list
    this.#drawPlayer();
    this.#drawMenu(controller, { analysis: can.analysis, analysing: analysis.on, dice });
  }

  /**
   * Draw the switch of the analysis, only when it changed: a button that is replaced while it is pressed is not pressed.
   * @param {boolean} offered @param {boolean} on
   */
  #drawSwitch(offered, on) {
    const key = `${offered} ${on}`;
    if (key === this.#switchKey) return;
    this.#switchKey = key;
    const state = { icon: "eye", class: "button slim", "aria-pressed": String(on) };
    fill(this.analysisKey, offered ? button(say("web.engine-view"), this.commands.analyse, state) : null);
  }

  /**
   * Draw the menu only when something in it changed: a link in it may be selected.
   * @param {GameController} controller
   * @param {{analysis: boolean, analysing: boolean, dice: TableDice}} more
   */
  #drawMenu({ facts, seat, board }, more) {
    const { model } = this;
    const state = { facts, at: this.at, seat, turn: board.turn, ...more };
    const { noted, verdict } = more.dice;
    const shown = { ...state, dice: [noted, verdict] };
    const key = JSON.stringify([shown, model.seats, model.turn, model.over, theme()]);
    if (key === this.#menuKey) return;
    this.#menuKey = key;
    menu(this.menu, model, this.commands, state);
  }

  /** The buttons of the replay: beside the board, and on a phone below it while the past is shown. */
  #drawPlayer() {
    fill(this.player, this.#playerButtons());
    this.bar.hidden = this.replay.at === null;
    const where = `${number(this.at)} / ${number(this.model.moves.length)}`;
    fill(this.bar, this.bar.hidden ? null : [h("span", { class: "muted" }, where), this.#playerButtons()]);
  }

  #playerButtons() {
    const { replay, at } = this;
    const count = this.model.moves.length;
    /** @param {() => void} act */
    const closing = (act) => () => {
      act();
      this.side.close(); // on a phone it lies over the board
    };
    /** @param {string} words @param {() => void} act @param {string} picture @param {boolean} on */
    const key = (words, act, picture, on) =>
      button(words, closing(act), { icon: picture, bare: true, disabled: !on, class: "button" });
    const play = replay.playing
      ? key(say("web.pause"), () => replay.pause(), "pause", true)
      : key(say("web.autoplay"), () => replay.play(), "play", count > 0);
    const now = say(this.model.over ? "web.end" : "web.live");
    const live = { disabled: replay.at === null, class: "button live" };
    return [
      key(say("web.first"), () => replay.go(0), "first", at > 0),
      key(say("web.previous"), () => replay.step(-1), "prev", at > 0),
      play,
      key(say("web.next"), () => replay.step(1), "next", at < count),
      button(
        now,
        closing(() => replay.live()),
        live,
      ),
    ];
  }

  /** The tools: beside the board, and on a phone below it. @param {State} state */
  #drawTools({ can, controller }) {
    const { model, side, commands } = this;
    const seated = model.mine.length > 0;
    /** @param {string} words @param {() => void} act @param {string} picture @param {boolean} [on] */
    const tool = (words, act, picture, on = true) => button(words, act, { icon: picture, disabled: !on });
    const own = () => [
      tool(say("web.undo"), commands.undo, "undo", can.undo),
      model.hints ? tool(say("web.hint"), commands.hint, "hint", can.hint) : null,
    ];
    // The result has the button already, as long as it is in sight.
    const asked = this.sheet.querySelector(".result") || ownOffer(model);
    const again = () => (asked ? null : sheets.rematchButton(model, commands.rematch));
    const resign = () => tool(say("web.resign"), commands.resign, "flag", can.resign);
    /** @param {string} words @param {string} name @param {string} picture */
    const opening = (words, name, picture) => {
      const made = tool(words, () => side.open(name), picture);
      if (side.fresh.has(name)) made.append(newDot());
      return made;
    };
    side.commands.hidden = !seated;
    side.commands.classList.toggle("resting", controller.concluded && Boolean(asked));
    fill(side.commands, !seated ? null : controller.concluded ? again() : [own(), resign()]);
    fill(
      this.toolbar,
      !seated ? null : controller.concluded ? again() : own(),
      opening(say("web.moves"), "moves", "moves"),
      can.chat ? opening(say("web.chat"), "chat", "chat") : null,
      opening(say("web.help"), "help", "help"),
      opening(say("web.more"), "table", "more"),
    );
  }

  /**
   * Say in the title of the window, and aloud, what is asked; the bar on top of a phone has the table's first fact.
   * @param {GameController} controller
   */
  #drawTitle(controller) {
    const { model } = this;
    const asked = [...this.#askedNow(controller).values()][0] ?? "";
    if (asked && asked !== this.#asked) this.onAsked?.(asked, this.#asked === "");
    this.#asked = asked;
    setTitle(`${asked ? "● " : ""}${model.title} · Triskele`);
    const fact = controller.facts.find(({ seat }) => seat === null)?.words ?? "";
    fill(byId("here"), model.title, h("small", {}, capital(fact)));
  }
}
