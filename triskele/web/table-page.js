/** The page of a table: the board, who plays, what was played, and what can be done. */

import { picker, actions } from "./action-bar.js";
import { analysis } from "./advice.js";
import { get, post } from "./api.js";
import { artwork } from "./art.js";
import { games } from "./catalogue.js";
import { Chat } from "./chat.js";
import { confirmed, show as showDialog } from "./dialogs.js";
import { button, fill, h, icon } from "./dom.js";
import { boardPicture } from "./home-page.js";
import { capital, language, listed, mentions, say } from "./i18n.js";
import { Live } from "./live.js";
import { rendered } from "./markdown.js";
import { MoveList } from "./move-list.js";
import { failed, notice, speak } from "./notices.js";
import { nameOf, seatTitle } from "./people.js";
import { strips } from "./player-strips.js";
import { Replay } from "./replay.js";
import { forgetKey, go, to } from "./router.js";
import { calm, setting, theme } from "./settings.js";
import { linkField, linkTo } from "./share.js";
import { showShortcuts } from "./shortcuts.js";
import { SidePanel } from "./side-panel.js";
import { play } from "./sound.js";
import { Stage } from "./stage.js";
import { TableModel } from "./table-model.js";
import { menu } from "./table-menu.js";

export class TablePage {
  #thinking = new Set();
  #advice = null;
  #analysis = { on: false, at: -1, view: null };
  #dismissed = new Set();
  #seeded = false;
  #keepsActions = false;
  #due = false;

  /** @param {HTMLElement} host @param {string} id @param {string} key */
  constructor(host, id, key) {
    this.host = host;
    this.id = id;
    this.key = key;
    this.model = new TableModel(id);
    this.#build();
    this.#open().catch((error) => this.#gone(error));
  }

  // --- coming and going ------------------------------------------------------------------------------

  async #open() {
    if (this.key) {
      await post(`/tables/${this.id}/seats`, { key: this.key, name: setting("name") });
      forgetKey();
    }
    this.games = await games();
    const since = () => ({ type: "join", table: this.id, since: this.model.seq, scene: true, language: language() });
    this.live = new Live({ join: since, hear: (message) => this.#hear(message), status: (status) => this.#status(status), gone: (why) => this.#gone(why) });
    if (this.closed) this.live.close();
  }

  close() {
    this.closed = true;
    this.replay.pause();
    this.live?.close();
    document.body.classList.remove("table-open");
    document.removeEventListener("keydown", this.#key);
  }

  #gone(error) {
    if (this.closed) return;
    document.body.classList.remove("table-open");
    fill(this.host, h("div", { class: "message" }, h("h1", {}, say("web.no-table")), h("p", { class: "muted" }, error.message), h("a", { class: "button primary", href: "/" }, say("web.home"))));
  }

  #status(status) {
    this.lost.hidden = status === "open";
    if (status === "open" && this.wasLost) notice(say("web.connected-again"));
    this.wasLost = status === "lost";
    if (status === "lost") speak(say("web.connection-lost"));
  }

  // --- what the server says --------------------------------------------------------------------------

  async #hear(message) {
    if (this.closed || (message.table !== undefined && message.table !== this.id)) return;
    const before = this.model.moves.length;
    const kind = this.model.hear(message);
    if (kind === "gap") return void this.#ask({ type: "join", since: this.model.seq, scene: true, language: language() });
    if (kind === "table") await this.#whole(before);
    else if (kind === "moved") {
      this.#thinking.clear();
      this.#advice = null;
      this.stage?.follow(this.model.moves.at(-1));
    } else if (kind === "thinking") this.#thinking.add(message.seat);
    else if (kind === "said") this.#said(message);
    else if (kind === "ended") {
      play("end");
      speak(this.#resultWords().join(". "));
      this.stage?.conclude();
    } else if (kind === "answered") this.#answered(message);
    this.render();
  }

  async #whole(before) {
    if (!this.stage) {
      await artwork(this.model.game);
      if (this.stage || this.closed) return;
      this.#begin();
    }
    this.replay.forget();
    this.#advice = null;
    this.#giveSeeds();
    const near = before > 0 && Math.abs(this.model.moves.length - before) <= 2;
    if (this.replay.at !== null) this.replay.live();
    else await this.stage.refresh(near && !calm() ? 1 : undefined);
    this.#sayTurn();
  }

  #begin() {
    const game = this.games.find((each) => each.name === this.model.game);
    this.stage = new Stage(this.model, game.hidden, mentions(`${game.name}.note`), {
      send: async (seat, move) => void (await this.#ask({ type: "move", seat, move, at: this.model.moves.length })),
      complete: (seat, tokens) => this.#ask({ type: "complete", seat, tokens }),
      changed: () => this.render(),
      made: (made) => this.#made(made),
      failed,
      speak,
    });
    this.boardbox.prepend(this.stage.board.svg);
    this.stage.board.svg.setAttribute("aria-label", this.model.title);
  }

  #made({ seat, move }) {
    speak(`${nameOf(this.model, seat)}: ${move}`);
    play(seat === "chance" ? "roll" : "move");
  }

  #sayTurn() {
    for (const [, words] of this.stage.asked) if (words !== this.lastAsked) speak(words);
  }

  /** Mix chance of our own into the dice, once, before the first roll. */
  #giveSeeds() {
    if (this.#seeded || !this.model.dice || this.model.over || this.model.moves.some((made) => made.seat === "chance")) return;
    this.#seeded = true;
    for (const seat of this.model.mine) this.#ask({ type: "seed", seat, seed: crypto.randomUUID() }).catch(() => {});
  }

  #said(message) {
    if (!this.model.mine.includes(message.seat)) {
      this.side.attention("chat", true);
      play("chat");
      speak(`${message.name}: ${message.text}`);
    }
  }

  #answered(message) {
    if (message.next_table && this.model.mine.length) return go(to("table", message.next_table));
    if (!message.accept) notice(say("web.declined", { name: nameOf(this.model, message.seat) }));
  }

  /** @param {*} message about this table */
  #ask(message) {
    return this.live.ask({ ...message, table: this.id });
  }

  /** Ask, and show why not. */
  #try(message) {
    return this.#ask(message).catch((error) => failed(error.code === "lost" ? new Error(say("web.connection-lost")) : error));
  }

  // --- what a person does ------------------------------------------------------------------------------

  /** My seat that speaks for me: the one that acts, or my first. */
  get #own() {
    return this.model.mine.includes(this.stage?.actor) ? this.stage.actor : this.model.mine[0];
  }

  #undo = () => {
    const last = this.model.moves.findLast((made) => this.model.mine.includes(made.seat));
    this.#try({ type: "undo", seat: last?.seat ?? this.#own });
  };

  #hint = async () => {
    const seat = this.stage.actor;
    this.#advice = { waiting: true };
    this.render();
    try {
      const hint = await post(`/tables/${this.id}/hint`, { seat });
      const move = this.stage.board.entry?.moves.find((each) => each.text === hint.move);
      this.#advice = hint;
      if (move) this.stage.board.advise(move.spellings[0]);
      speak(hint.why);
    } catch (error) {
      this.#advice = null;
      failed(error);
    }
    this.render();
  };

  #resign = async () => {
    if (await confirmed(say("web.resign-sure"), say("web.resign"))) this.#try({ type: "resign", seat: this.#own });
  };

  #offer = (what) => {
    this.#try({ type: "offer", seat: this.#own, what }).then((done) => done && notice(say("web.offered")));
  };

  #rematch = () => {
    if (this.model.next_table) go(to("table", this.model.next_table));
    else this.#try({ type: "offer", seat: this.#own, what: "rematch" });
  };

  #prove = async () => {
    try {
      const proof = await get(`/tables/${this.id}/proof`);
      showDialog(say("web.prove"), h("div", { class: "prose" }, proof.lines.map((line) => h("p", {}, line))));
    } catch (error) {
      failed(error);
    }
  };

  #analyse = () => {
    this.#analysis.on = !this.#analysis.on;
    this.#analysis.at = -1;
    this.side.open("moves");
    this.render();
  };

  async #refreshAnalysis() {
    const at = this.#at;
    if (!this.#analysis.on || this.#analysis.at === at) return;
    this.#analysis = { on: true, at, view: null };
    try {
      const view = await post(`/tables/${this.id}/analysis`, { at, seat: this.stage.hidden ? this.stage.seat : null });
      if (this.#analysis.at !== at) return;
      this.#analysis.view = view;
    } catch (error) {
      this.#analysis.on = false;
      failed(error);
    }
    this.render();
  }

  #invite = (seat) => {
    const { key } = this.model.seats[seat];
    if (key) showDialog(say("web.invite"), linkField(say("web.invite-words"), linkTo(this.id, key)));
  };

  #sit = async () => {
    try {
      await post(`/tables/${this.id}/seats`, { name: setting("name") });
      this.live.restart();
    } catch (error) {
      failed(error);
    }
  };

  /** How many moves the position in sight has. */
  get #at() {
    return this.replay.at ?? this.model.moves.length;
  }

  // --- keys --------------------------------------------------------------------------------------------

  #key = (event) => {
    const typing = event.target.closest?.("input, textarea, select, dialog");
    if (typing || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    const act = this.#shortcut(event.key, event.target.closest?.("[role=tablist]"));
    if (!act) return;
    act();
    event.preventDefault();
  };

  #shortcut(key, inTabs) {
    const replay = inTabs
      ? {}
      : { ArrowLeft: () => this.replay.step(-1), ArrowRight: () => this.replay.step(1), Home: () => this.replay.go(0), End: () => this.replay.live() };
    const always = { Escape: () => this.#escape(), "?": () => showShortcuts(), ...replay };
    if (key in always) return always[key];
    if (!setting("shortcuts")) return undefined;
    const letters = {
      b: () => this.stage?.board.focus(),
      u: () => this.#can.undo && this.#undo(),
      h: () => this.#can.hint && this.#hint(),
      m: () => this.side.open("moves"),
      c: () => this.#can.chat && this.side.open("chat"),
      l: () => this.replay.live(),
    };
    return letters[key];
  }

  #escape() {
    if (this.side.element.classList.contains("open")) return this.side.close();
    if (this.stage?.stepBack()) return undefined;
    this.#advice = null;
    this.stage?.board.advise([]);
    return this.render();
  }

  get #can() {
    const { model } = this;
    const playing = model.mine.length > 0 && !model.over && this.stage?.veil === null;
    return {
      undo: playing && !model.rated && model.moves.some((made) => model.mine.includes(made.seat)),
      hint: playing && !model.rated && !this.stage.past && model.turn === this.stage.actor,
      chat: model.others && model.mine.length > 0,
      analysis: !model.rated && (model.over || (!model.others && model.mine.length > 0)) && !(this.stage?.hidden && !model.over),
    };
  }

  // --- what is to be seen --------------------------------------------------------------------------------

  #build() {
    document.body.classList.add("table-open");
    document.addEventListener("keydown", this.#key);
    this.above = h("div", { class: "strips above" });
    this.lost = h("div", { class: "lost", role: "status", hidden: true }, say("web.connection-lost"));
    this.curtain = h("div", { class: "curtain", hidden: true });
    this.boardbox = h("div", { class: "boardbox" }, this.curtain, this.lost);
    this.mine = h("div", { class: "strips" });
    this.actions = h("div", { class: "actions", role: "group", "aria-label": say("web.actions") });
    this.sheet = h("div", { class: "sheet", hidden: true });
    this.toolbar = h("div", { class: "toolbar", role: "toolbar", "aria-label": say("web.tools") });
    this.below = h("div", { class: "below" }, this.mine, this.actions, this.toolbar, this.sheet);
    this.moveList = new MoveList((at) => this.replay.go(at));
    this.replay = new Replay(this.id, {
      count: () => this.model.moves.length,
      seat: () => this.stage.seat,
      show: (scene, at, next) => this.stage.showPast(scene, next && !calm() ? 1 : undefined),
      live: () => this.stage.showLive(),
      changed: () => this.render(),
      failed,
    });
    this.chat = new Chat((text) => this.#ask({ type: "chat", seat: this.#own, text }).catch(failed));
    this.player = h("div", { class: "player", role: "group", "aria-label": say("web.replay") });
    this.thoughts = h("div", {});
    this.side = new SidePanel();
    this.side.add("moves", say("web.moves"), this.thoughts, this.moveList.element, this.player);
    this.side.add("chat", say("web.chat"), this.chat.lines, this.chat.form);
    this.help = this.side.add("help", say("web.help"));
    this.menu = this.side.add("table", say("web.table"));
    this.side.onSelect = (name) => name === "help" && this.#loadHelp();
    const scrim = h("div", { class: "scrim", on: { click: () => this.side.close() } });
    const stage = h("section", { class: "stage", "aria-label": say("web.board") }, this.above, this.boardbox, this.below);
    fill(this.host, h("div", { class: "table-page" }, stage, this.side.element, scrim));
  }

  async #loadHelp() {
    if (this.help.childElementCount || !this.model.game) return;
    const text = await get(`/games/${this.model.game}/help?language=${language()}`).catch((error) => error.message);
    fill(this.help, boardPicture(this.model.game), rendered(text, 1));
  }

  /** Draw what changed, once for all that changes at the same time. */
  render() {
    if (this.#due) return;
    this.#due = true;
    queueMicrotask(() => {
      this.#due = false;
      if (this.model.ready && this.stage && !this.closed) this.#draw();
    });
  }

  #draw() {
    const inside = this.below.contains(document.activeElement);
    this.#renderStrips();
    this.#renderActions();
    this.#renderSheet();
    this.#renderCurtain();
    if (inside && !this.below.contains(document.activeElement)) this.#catchFocus();
    this.#renderSide();
    this.#refreshAnalysis();
    this.#renderTitle();
  }

  /** The button that was pressed is gone: the keyboard goes to what is asked next. */
  #catchFocus() {
    const next = this.sheet.hidden ? this.actions.querySelector("button") : this.sheet.querySelector("button:not(:disabled)");
    if (next) next.focus();
    else this.stage.board.focus();
  }

  #renderStrips() {
    const { above, below } = strips({
      model: this.model,
      facts: this.stage.facts,
      asked: this.stage.asked,
      thinking: this.#thinking,
      back: this.stage.canStepBack ? () => this.stage.stepBack() : null,
      invite: this.#invite,
      choose: this.stage.hidden && this.model.mine.length > 1 && !this.model.over ? (seat) => this.stage.hide(seat) : null,
      shown: this.stage.veil ?? this.stage.seat,
      sit: !this.model.private && !this.model.mine.length && !this.model.over ? this.#sit : null,
    });
    this.above.classList.toggle("crowd", above.length > 1);
    fill(this.above, above);
    fill(this.mine, below);
  }

  #renderActions() {
    const buttons = actions(this.stage.board, this.model.game);
    this.#keepsActions ||= buttons.length > 0; // once there were some, their room stays: the board does not jump
    this.actions.classList.toggle("kept", this.#keepsActions);
    fill(this.actions, buttons);
    const lit = this.stage.board.entry?.next().size ?? 0;
    this.stage.board.svg.classList.toggle("many", lit > 30);
  }

  #renderSheet() {
    const content = this.#confirmSheet() ?? this.#offerSheet() ?? this.#resultSheet() ?? this.#waitingSheet() ?? this.#pickerSheet() ?? this.#adviceSheet();
    this.sheet.hidden = !content;
    this.sheet.classList.toggle("advice", Boolean(this.#advice && content?.classList.contains("hint")));
    fill(this.sheet, content);
  }

  #confirmSheet() {
    const { confirming } = this.stage;
    if (!confirming) return null;
    return h("div", { class: "list brief" },
      h("p", {}, h("b", { class: "move" }, confirming.move), " ", capital(confirming.note)),
      h("div", { class: "row" }, button(say("web.back"), () => this.stage.stepBack(), { icon: "undo" }), button(say("web.do-it"), () => this.stage.confirm(), { icon: "check", class: "button primary" })));
  }

  #resultWords() {
    const { outcome, mine, text } = this.model;
    const names = outcome.winners.map((seat) => nameOf(this.model, seat));
    const own = mine.length === 1 && outcome.winners.includes(mine[0]);
    if (this.model.seats.length === 1 && !names.length) return [capital(text), ""];
    const head = !names.length ? say("web.nobody-won") : own && names.length === 1 ? say("web.you-won") : say("web.won", { names: listed(names), n: names.length });
    return [head, capital(text)];
  }

  #resultSheet() {
    if (!this.model.over || this.stage.past || this.#dismissed.has("result")) return null;
    const [head, text] = this.#resultWords();
    const next = this.model.next_table;
    return h("div", { class: "list result" },
      h("b", {}, head),
      text ? h("p", { class: "muted" }, text) : null,
      this.#finalFacts(),
      h("div", { class: "row" },
        button(say("web.review"), () => this.#dismiss("result"), { icon: "eye" }),
        this.model.dice ? button(say("web.prove"), this.#prove, { icon: "die" }) : null,
        this.model.mine.length ? button(say(next ? "web.to-rematch" : "web.rematch"), this.#rematch, { icon: "again", class: "button primary" }) : null));
  }

  /** What the scene says about each seat at the end: points, coins. */
  #finalFacts() {
    const of = (seat) => this.stage.facts.filter((fact) => fact.seat === seat).map((fact) => fact.words);
    const said = this.model.seats.map(({ seat }) => ({ seat, words: of(seat) })).filter(({ words }) => words.length);
    if (!said.length || said.length > 4) return null;
    return h("ul", {}, said.map(({ seat, words }) => h("li", {}, `${nameOf(this.model, seat)}: ${words.slice(0, 3).join(" · ")}`)));
  }

  #dismiss(what) {
    this.#dismissed.add(what);
    this.render();
  }

  #offerSheet() {
    const offer = this.model.offers.find((each) => !this.model.mine.includes(each.seat) && this.model.mine.some((seat) => !each.accepted.includes(seat)));
    if (!offer || !this.model.mine.length) return null;
    const answer = (accept) => () => this.#try({ type: "answer", seat: this.#own, what: offer.what, accept });
    return h("div", { class: "list" },
      h("p", { class: "head" }, say(`web.offers-${offer.what}`, { name: nameOf(this.model, offer.seat) })),
      h("div", { class: "row" }, button(say("web.decline"), answer(false)), button(say("web.accept"), answer(true), { icon: "check", class: "button primary" })));
  }

  #waitingSheet() {
    const free = this.model.seats.filter((seat) => !seat.taken && seat.key);
    if (!free.length || this.model.over || this.#dismissed.has("waiting")) return null;
    return h("div", { class: "list" },
      h("p", { class: "head" }, say("web.invite-words")),
      free.map((seat) => linkField(seatTitle(this.model.game, seat.seat), linkTo(this.id, seat.key))),
      h("div", { class: "row" }, button(say("web.close"), () => this.#dismiss("waiting"))));
  }

  #pickerSheet() {
    const entry = this.stage.board.entry;
    const begun = entry?.tokens.length ? () => this.stage.stepBack() : null;
    return picker(this.stage.board, this.model.look(this.stage.actor)?.ask ?? "", begun);
  }

  #adviceSheet() {
    const advice = this.#advice;
    if (!advice) return null;
    if (advice.waiting) return h("div", { class: "list hint" }, h("p", { class: "head" }, icon("hint"), capital(say("web.thinking"))));
    const close = () => this.#escape();
    const why = advice.why.startsWith(`${advice.move}:`) ? advice.why.slice(advice.move.length + 1) : advice.why;
    return h("div", { class: "list hint brief" },
      h("p", {}, h("b", { class: "move" }, advice.move), " ", capital(why.trim())),
      h("div", { class: "row" }, button(say("web.close"), close), button(say("web.play-it"), () => this.#playHint(advice.move), { icon: "check", class: "button primary" })));
  }

  #playHint(move) {
    const { board } = this.stage;
    const spelling = board.entry?.moves.find((each) => each.text === move)?.spellings[0];
    this.#advice = null;
    board.entry?.clear();
    for (const token of spelling ?? []) board.turning ? (board.touch(token), board.turning && board.confirmTurn()) : board.touch(token);
    this.render();
  }

  #renderCurtain() {
    const { veil } = this.stage;
    if (this.curtain.hidden === (veil === null)) return;
    this.curtain.hidden = veil === null;
    if (veil === null) return void fill(this.curtain);
    const name = nameOf(this.model, veil);
    const show = button(say("web.curtain-show"), () => this.stage.unveil(), { icon: "eye", class: "button primary" });
    fill(this.curtain, h("div", {}, h("b", {}, say("web.curtain", { name })), h("p", { class: "muted" }, say("web.curtain-why")), show));
    speak(say("web.curtain", { name }));
    show.focus();
  }

  #renderSide() {
    const { model } = this;
    const can = this.#can;
    const facts = this.stage.facts.filter((fact) => fact.seat === null).map((fact) => fact.words);
    this.side.describe(model.title, "", facts);
    this.side.offer("chat", can.chat);
    this.side.main.classList.toggle("past", this.replay.at !== null);
    this.moveList.update(model, this.#at);
    this.chat.update(model);
    fill(this.thoughts, this.#analysis.on ? (this.#analysis.view ? analysis(model, this.#analysis.view) : h("p", { class: "muted" }, say("web.thinking"))) : null);
    this.#renderPlayer();
    this.#renderMenu(can.analysis);
    const undo = button(say("web.undo"), this.#undo, { icon: "undo", disabled: !can.undo });
    const hint = button(say("web.hint"), this.#hint, { icon: "hint", disabled: !can.hint });
    const end = model.over ? button(say("web.rematch"), this.#rematch, { icon: "again", class: "button primary" }) : button(say("web.resign"), this.#resign, { icon: "flag" });
    this.side.deeds.hidden = !model.mine.length;
    fill(this.side.deeds, !model.mine.length ? null : model.over ? end : [undo, hint, end]);
    this.#renderToolbar(can);
  }

  /** Drawn only when something in it changed: a link in it may be selected. @param {boolean} canAnalyse */
  #renderMenu(canAnalyse) {
    const { model } = this;
    const state = { facts: this.stage.facts, at: this.#at, seat: this.stage.seat, analysis: canAnalyse };
    const key = JSON.stringify([state, model.seats, model.over, theme()]);
    if (key === this.menuKey) return;
    this.menuKey = key;
    menu(this.menu, model,
      { resign: this.#resign, draw: () => this.#offer("draw"), rematch: this.#rematch, prove: this.#prove, analyse: this.#analyse, keys: showShortcuts },
      state);
  }

  #renderToolbar(can) {
    const tool = (words, act, picture, on = true) => button(words, act, { icon: picture, disabled: !on });
    fill(this.toolbar,
      this.model.mine.length ? [tool(say("web.undo"), this.#undo, "undo", can.undo), tool(say("web.hint"), this.#hint, "hint", can.hint)] : null,
      tool(say("web.moves"), () => this.side.open("moves"), "moves"),
      can.chat ? tool(say("web.chat"), () => this.side.open("chat"), "chat") : null,
      tool(say("web.help"), () => this.side.open("help"), "help"),
      tool(say("web.more"), () => this.side.open("table"), "more"));
  }

  #renderPlayer() {
    const { replay } = this;
    const at = this.#at;
    const count = this.model.moves.length;
    const key = (words, act, picture, on, more = {}) => button(words, act, { icon: picture, bare: true, disabled: !on, class: "button", ...more });
    fill(this.player,
      key(say("web.first"), () => replay.go(0), "first", at > 0),
      key(say("web.previous"), () => replay.step(-1), "prev", at > 0),
      replay.playing ? key(say("web.pause"), () => replay.pause(), "pause", true) : key(say("web.autoplay"), () => replay.play(), "play", count > 0),
      key(say("web.next"), () => replay.step(1), "next", at < count),
      button(say(this.model.over ? "web.end" : "web.live"), () => replay.live(), { disabled: replay.at === null, class: "button live" }));
  }

  #renderTitle() {
    const asked = [...this.stage.asked.values()][0];
    if (asked && asked !== this.lastAsked) {
      speak(asked);
      if (this.lastAsked !== undefined) play("turn");
    }
    this.lastAsked = asked ?? "";
    document.title = `${asked ? "● " : ""}${this.model.title} · Triskele`;
    fill(document.getElementById("here"), this.model.title, h("small", {}, capital(this.stage.facts.find((fact) => fact.seat === null)?.words ?? "")));
  }
}
