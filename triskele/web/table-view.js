/** A table on the page: its parts, and drawing them. What a person does in them goes back to the page's owner. */

import { actions, askedNext, picker } from "./action-bar.js";
import { analysis } from "./advice.js";
import { button, fill, h } from "./dom.js";
import { capital, number, say } from "./i18n.js";
import { speak } from "./notices.js";
import { nameOf } from "./people.js";
import { strips } from "./player-strips.js";
import { theme } from "./settings.js";
import * as sheets from "./sheets.js";
import { showShortcuts } from "./shortcuts.js";
import { SidePanel, newDot } from "./side-panel.js";
import { menu } from "./table-menu.js";

const MANY = 30; // so many places lit at once are lit less

/**
 * @typedef {{undo: boolean, hint: boolean, chat: boolean, analysis: boolean}} Can
 * @typedef {{
 *   thinking: Set<number>, slow: boolean, hint: {move: string, why: string} | null, dismissed: Set<string>,
 *   analysis: {on: boolean, view: * | null}, can: Can
 * }} State what is going on beside the game itself; `slow`: an engine is getting ready, which takes its time
 * @typedef {{
 *   undo: () => void, hint: () => void, playHint: () => void, closeHint: () => void, resign: () => void,
 *   draw: () => void, rematch: () => void, prove: () => void, analyse: () => void, invite: (seat: number) => void,
 *   sit: () => void, answer: (what: string, accept: boolean) => void, dismiss: (what: string) => void
 * }} Deeds what a person can do
 */

export class TableView {
  #keepsActions = false;
  #lifted = false;
  #menuKey = "";
  #asked = "";

  /**
   * @param {HTMLElement} host @param {import("./table-model.js").TableModel} model
   * @param {import("./replay.js").Replay} replay @param {Deeds} deeds
   * @param {{moves: import("./move-list.js").MoveList, chat: import("./chat.js").Chat}} parts
   */
  constructor(host, model, replay, deeds, parts) {
    this.model = model;
    this.replay = replay;
    this.deeds = deeds;
    this.parts = parts;
    /** @type {import("./stage.js").Stage | null} */
    this.stage = null;
    this.above = h("div", { class: "strips above" });
    this.lost = h("div", { class: "lost", role: "status", hidden: true }, say("web.connection-lost"));
    this.curtain = h("div", { class: "curtain", hidden: true });
    this.boardbox = h("div", { class: "boardbox" }, this.curtain, this.lost);
    this.mine = h("div", { class: "strips" });
    this.actions = h("div", { class: "actions", role: "group", "aria-label": say("web.actions") });
    this.sheet = h("div", { class: "sheet", hidden: true });
    this.toolbar = h("div", { class: "toolbar", role: "toolbar", "aria-label": say("web.tools") });
    this.bar = h("div", { class: "player bar", role: "group", "aria-label": say("web.replay"), hidden: true });
    this.below = h("div", { class: "below" }, this.mine, this.actions, this.bar, this.toolbar, this.sheet);
    this.player = h("div", { class: "player", role: "group", "aria-label": say("web.replay") });
    this.thoughts = h("div");
    this.side = new SidePanel();
    this.side.add("moves", say("web.moves"), this.thoughts, parts.moves.element, this.player);
    this.side.add("chat", say("web.chat"), parts.chat.lines, parts.chat.form);
    this.help = this.side.add("help", say("web.help"));
    this.menu = this.side.add("table", say("web.table"));
    const scrim = h("div", { class: "scrim", on: { click: () => this.side.close() } });
    const board = { class: "stage", "aria-label": say("web.board") };
    const stage = h("section", board, this.above, this.boardbox, this.below);
    fill(host, h("div", { class: "table-page" }, stage, this.side.element, scrim));
  }

  /** Put the board in its place. @param {import("./stage.js").Stage} stage */
  take(stage) {
    this.stage = stage;
    this.boardbox.prepend(stage.board.svg);
    stage.board.svg.setAttribute("aria-label", this.model.title);
  }

  /** How many moves the position in sight has. */
  get at() {
    return this.replay.at ?? this.model.moves.length;
  }

  /** @param {State} state */
  draw(state) {
    const inside = this.below.contains(document.activeElement);
    this.#drawStrips(state);
    this.#drawActions();
    this.#drawSheet(state);
    this.#drawCurtain();
    const { activeElement } = document;
    if (inside && (!this.below.contains(activeElement) || activeElement.closest("[inert]"))) this.#catchFocus();
    if (this.#lifted) this.#focusAsked();
    this.#lifted = false;
    this.#drawSide(state);
    this.#drawTools(state.can);
    this.#drawTitle();
  }

  /** Bring the keyboard to what is asked: in the sheet below the board, or on the board. */
  #focusAsked() {
    const first = this.sheet.hidden ? null : this.sheet.querySelector("button:not(:disabled)");
    if (first) first.focus();
    else this.stage.board.focus();
  }

  /** The button that was pressed is gone or covered: the keyboard goes to what is asked next. */
  #catchFocus() {
    const where = this.sheet.hidden ? this.actions : this.sheet;
    const next = where.querySelector("button:not(:disabled)");
    if (next) next.focus();
    else this.stage.board.focus();
  }

  // --- around the board --------------------------------------------------------------------------------

  /** What is asked of whom here; inside a half-entered move what comes next of it. @returns {Map<number, string>} */
  get #askedNow() {
    const { asked, board } = this.stage;
    const next = askedNext(board, this.model.game);
    return next === null ? asked : new Map([...asked.keys()].map((seat) => [seat, next]));
  }

  #drawStrips({ thinking, slow }) {
    const { model, stage, deeds } = this;
    const secrets = stage.hidden && model.mine.length > 1 && !model.over;
    const { above, below } = strips({
      model,
      thinking,
      slow,
      facts: stage.facts,
      asked: this.#askedNow,
      back: stage.canStepBack ? () => stage.stepBack() : null,
      invite: deeds.invite,
      sit: !model.private && !model.mine.length && !model.over ? deeds.sit : null,
      choose: secrets ? (seat) => stage.hide(seat) : null,
      shown: stage.veil ?? stage.seat,
      past: stage.past,
      over: model.over && !stage.showing,
    });
    this.above.classList.toggle("crowd", above.length > 1);
    fill(this.above, above);
    fill(this.mine, below);
  }

  #drawActions() {
    const { board } = this.stage;
    const buttons = actions(board, this.model.game);
    this.#keepsActions ||= buttons.length > 0; // once there were some, their room stays: the board does not jump
    this.actions.classList.toggle("kept", this.#keepsActions);
    fill(this.actions, buttons);
    board.svg.classList.toggle("many", (board.entry?.next().size ?? 0) > MANY);
  }

  #drawSheet(state) {
    const content = this.#urgentSheet(state) ?? this.#quietSheet(state);
    this.sheet.hidden = !content;
    // It lies over these: the keyboard must not go where nothing is seen.
    for (const part of [this.mine, this.actions, this.bar, this.toolbar]) part.inert = Boolean(content);
    this.sheet.classList.toggle("advice", content?.classList.contains("hint") ?? false);
    fill(this.sheet, content);
  }

  /** What must be answered before anything else. */
  #urgentSheet({ dismissed }) {
    const { model, stage, deeds } = this;
    if (stage.confirming) {
      const answers = { back: () => stage.stepBack(), yes: () => stage.confirm() };
      return sheets.confirmation(model.game, stage.confirming, answers);
    }
    const offer = sheets.openOffer(model);
    if (offer) return sheets.offered(model, offer, (accept) => deeds.answer(offer.what, accept));
    if (!model.over || stage.past || stage.showing || dismissed.has("result")) return null;
    return sheets.result(model, stage.facts, { ...deeds, review: () => deeds.dismiss("result") });
  }

  #quietSheet({ dismissed, hint, slow }) {
    const { model, stage, deeds } = this;
    const waiting = !model.over && !dismissed.has("waiting");
    const invitations = waiting ? sheets.invitations(model, () => deeds.dismiss("waiting")) : null;
    const begun = stage.board.entry?.tokens.length ? () => stage.stepBack() : null;
    const word = invitations ?? picker(stage.board, model.look(stage.actor)?.ask ?? "", begun);
    const answers = { close: deeds.closeHint, play: deeds.playHint };
    return word ?? (hint ? sheets.advice(model.game, { ...hint, slow }, answers) : null);
  }

  #drawCurtain() {
    const { veil } = this.stage;
    if (this.curtain.hidden === (veil === null)) return;
    this.curtain.hidden = veil === null;
    if (veil === null) return void fill(this.curtain);
    const words = say("web.curtain", { name: nameOf(this.model, veil) });
    const unveil = () => {
      this.stage.unveil();
      this.#lifted = true;
    };
    const show = button(say("web.curtain-show"), unveil, { icon: "eye", class: "button primary" });
    const why = h("p", { class: "muted" }, say("web.curtain-why"));
    fill(this.curtain, h("div", {}, h("b", {}, words), why, show));
    speak(words);
    show.focus();
  }

  // --- beside the board --------------------------------------------------------------------------------

  #drawSide({ can, analysis: thought }) {
    const { model, side, parts } = this;
    const facts = this.stage.facts.filter((fact) => fact.seat === null).map((fact) => fact.words);
    side.describe(model.title, facts);
    side.offer("chat", can.chat);
    side.main.classList.toggle("past", this.replay.at !== null);
    parts.moves.update(model, this.at, this.stage.unseen);
    parts.chat.update(model);
    const wait = h("p", { class: "muted" }, capital(say("web.thinking")));
    const height = this.thoughts.offsetHeight;
    fill(this.thoughts, !thought.on ? null : thought.view ? analysis(model, thought.view) : wait);
    if (this.thoughts.offsetHeight !== height) parts.moves.reveal(); // there is more or less room for the list
    this.#drawPlayer();
    this.#drawMenu(can.analysis, thought.on);
  }

  /** Drawn only when something in it changed: a link in it may be selected. @param {boolean} analysis @param {boolean} analysing */
  #drawMenu(analysis, analysing) {
    const { model, stage } = this;
    const state = { facts: stage.facts, at: this.at, seat: stage.seat, analysis, analysing };
    const key = JSON.stringify([state, model.seats, model.over, theme()]);
    if (key === this.#menuKey) return;
    this.#menuKey = key;
    menu(this.menu, model, { ...this.deeds, keys: showShortcuts }, state);
  }

  /** The keys of the replay: beside the board, and on a phone below it while the past is shown. */
  #drawPlayer() {
    fill(this.player, this.#playerKeys());
    this.bar.hidden = this.replay.at === null;
    const where = `${number(this.at)} / ${number(this.model.moves.length)}`;
    fill(this.bar, this.bar.hidden ? null : [h("span", { class: "muted" }, where), this.#playerKeys()]);
  }

  #playerKeys() {
    const { replay, at } = this;
    const count = this.model.moves.length;
    const doing = (act) => () => {
      act();
      this.side.close(); // on a phone it lies over the board
    };
    const key = (words, act, picture, on) =>
      button(words, doing(act), { icon: picture, bare: true, disabled: !on, class: "button" });
    const play = replay.playing
      ? key(say("web.pause"), () => replay.pause(), "pause", true)
      : key(say("web.autoplay"), () => replay.play(), "play", count > 0);
    const now = say(this.model.over ? "web.end" : "web.live");
    return [
      key(say("web.first"), () => replay.go(0), "first", at > 0),
      key(say("web.previous"), () => replay.step(-1), "prev", at > 0),
      play,
      key(say("web.next"), () => replay.step(1), "next", at < count),
      button(now, doing(() => replay.live()), { disabled: replay.at === null, class: "button live" }),
    ];
  }

  /** The tools: beside the board, and on a phone below it. @param {Can} can */
  #drawTools(can) {
    const { model, side, deeds } = this;
    const seated = model.mine.length > 0;
    const tool = (words, act, picture, on = true) => button(words, act, { icon: picture, disabled: !on });
    const own = () => [
      tool(say("web.undo"), deeds.undo, "undo", can.undo),
      tool(say("web.hint"), deeds.hint, "hint", can.hint),
    ];
    const again = () => button(say("web.rematch"), deeds.rematch, { icon: "again", class: "button primary" });
    const opening = (words, name, picture) => {
      const made = tool(words, () => side.open(name), picture);
      if (side.fresh.has(name)) made.append(newDot());
      return made;
    };
    side.deeds.hidden = !seated;
    fill(side.deeds, !seated ? null : model.over ? again() : [own(), tool(say("web.resign"), deeds.resign, "flag")]);
    fill(
      this.toolbar,
      !seated ? null : model.over ? tool(say("web.rematch"), deeds.rematch, "again") : own(),
      opening(say("web.moves"), "moves", "moves"),
      can.chat ? opening(say("web.chat"), "chat", "chat") : null,
      opening(say("web.help"), "help", "help"),
      opening(say("web.more"), "table", "more"),
    );
  }

  /** Say in the title of the window, and aloud, what is asked; the bar on top of a phone has the table's first fact. */
  #drawTitle() {
    const { model, stage } = this;
    const asked = [...this.#askedNow.values()][0] ?? "";
    if (asked && asked !== this.#asked) this.onAsked?.(asked, this.#asked === "");
    this.#asked = asked;
    document.title = `${asked ? "● " : ""}${model.title} · Triskele`;
    const fact = stage.facts.find(({ seat }) => seat === null)?.words ?? "";
    fill(document.getElementById("here"), model.title, h("small", {}, capital(fact)));
  }
}
