/** The page of a table: what the server says about it, and what a person does at it. */

/** @import { AnsweredMessage, Done, Game, Offer, SaidMessage, Seat, TableEvent, TableRequest } from "../lib/protocol.js" */

import { loadSprites } from "../board/sprites.js";
import { ApiError, post } from "../lib/api.js";
import { boardPicture, games, helpPage } from "../lib/catalogue.js";
import { fill } from "../lib/dom.js";
import { capital, language, say } from "../lib/i18n.js";
import { LiveConnection, Refused } from "../lib/live-connection.js";
import { failed, toast, speak } from "../lib/toasts.js";
import { forgetKey, go, to } from "../lib/router.js";
import { change, prefersReducedMotion, setting } from "../lib/settings.js";
import { play } from "../lib/sound.js";
import { resultWords } from "../table/bottom-sheets.js";
import { Chat } from "../table/chat.js";
import { ClockFace } from "../table/clock-face.js";
import { GameController } from "../table/game-controller.js";
import { Hints } from "../table/hints.js";
import { TableModel } from "../table/model.js";
import { MoveList } from "../table/move-list.js";
import { moveWords } from "../table/move-words.js";
import { News } from "../table/news.js";
import { lapsedWords, ownOffer, refusalWords } from "../table/offers.js";
import { Patience } from "../table/patience.js";
import { Replay } from "../table/replay.js";
import { nameOf } from "../table/seat-names.js";
import { TableDice } from "../table/table-dice.js";
import { TableKeys } from "../table/table-keys.js";
import { TableView } from "../table/view.js";
import { message, trouble } from "./message.js";
import { TableAnalysis } from "./table-analysis.js";
import { commandsOf, speakingSeat } from "./table-commands.js";

/** Whether players may write to each other here: the host of the server says so. */
const CHAT = document.querySelector("meta[name=chat]")?.getAttribute("content") !== "off";

export class TablePage {
  /** @type {Set<number>} the seats of engines at work */
  #thinking = new Set();
  /** @type {Set<string>} the bottom sheets that were closed */
  #dismissed = new Set();
  #lost = false;
  #ratingsAsked = false;
  /** @type {Element | null} what a rated game did to the ratings */
  #ratings = null;
  #renderDue = false;
  /** @type {LiveConnection | null} */
  #live = null;
  /** @type {GameController | null} none until the table and the game's declaration have arrived */
  #controller = null;

  /** @param {HTMLElement} host @param {string} id @param {string} key */
  constructor(host, id, key) {
    const changed = () => this.render();
    const controller = () => this.#controller;
    this.host = host;
    this.id = id;
    this.closed = false;
    this.model = new TableModel(id);
    this.patience = new Patience(this.model, changed);
    this.dice = new TableDice(this.model, { ask: (request) => this.#ask(request), changed });
    this.replay = new Replay(id, {
      count: () => this.model.moves.length,
      seat: () => this.#controller?.seat ?? null,
      show: async (scene, next) => this.#controller?.showPast(scene, next && !prefersReducedMotion() ? 1 : undefined),
      live: () => this.#controller?.showLive(),
      changed,
      failed,
    });
    this.analysis = new TableAnalysis(this.model, this.replay, {
      controller,
      at: () => this.view.at,
      ask: (request) => this.#ask(request),
      changed,
      previewing: () => this.view.side.close(), // on a phone it lies over the board
      closed: () => this.closed,
    });
    this.hints = new Hints(this.model, { controller, own: (seat) => this.analysis.hint(seat), changed });
    this.commands = commandsOf({
      model: this.model,
      hints: this.hints,
      analysis: this.analysis,
      dice: this.dice,
      view: () => this.view,
      controller,
      request: (request) => this.#try(request),
      sit: () => this.#sit(),
      dismiss: (what) => {
        this.#dismissed.add(what);
        this.render();
      },
      changed,
    });
    const moves = new MoveList((at) => {
      this.replay.go(at);
      this.view.side.close(); // on a phone it lies over the board
    });
    const chat = new Chat((text) =>
      this.#try({ type: "chat", seat: speakingSeat(this.model, this.#controller), text }),
    );
    this.view = new TableView(host, this.model, this.replay, this.commands, { moves, chat });
    this.news = new News();
    this.view.onTouched = () => this.news.pass();
    this.clocks = new ClockFace(host, this.model, { speak, changed: () => this.render() });
    this.view.side.onSelect = (name) => {
      if (name === "help") this.#loadHelp();
      if (name === "moves") moves.reveal();
      this.render();
    };
    this.view.onAsked = (words, fresh) => {
      speak(words);
      if (fresh) play("turn");
    };
    document.body.classList.add("table-open");
    document.addEventListener("visibilitychange", this.#look);
    this.keys = new TableKeys({ first: (key) => this.analysis.key(key), always: this.#always, letters: this.#letters });
    this.#open(key).catch((error) => this.#fail(error));
  }

  // --- coming and going --------------------------------------------------------------------------

  /** @returns {TableRequest} */
  #join() {
    return { type: "join", since: this.model.seq, scene: true, language: language() };
  }

  /** @param {string} key */
  async #open(key) {
    if (key) {
      const { useKey } = await import("./invitation.js");
      await useKey(this.host, this.id, key).catch((error) => {
        if (!(error instanceof ApiError) || error.code !== "one-seat") throw error;
        failed(error); // the table itself is there for us
      });
      forgetKey();
    }
    if (this.closed) return;
    games().catch(() => {}); // asked for early; a failure is shown when the games are needed
    this.#live = new LiveConnection({
      join: () => ({ ...this.#join(), table: this.id }),
      receive: (event) => void ("table" in event && this.#receive(/** @type {TableEvent} */ (event))),
      status: (status) => this.#status(status),
      refused: (why) => this.#fail(why),
    });
  }

  close() {
    this.closed = true;
    this.patience.close();
    this.dice.close();
    this.clocks.close();
    this.replay.pause();
    this.analysis.close();
    this.#live?.close();
    document.body.classList.remove("table-open");
    document.removeEventListener("visibilitychange", this.#look);
    this.keys.close();
  }

  /** The table cannot be shown: say why instead. @param {unknown} error */
  #fail(error) {
    if (this.closed) return;
    this.close();
    const unknown = (error instanceof ApiError || error instanceof Refused) && error.code === "unknown";
    if (unknown) message(this.host, say("web.no-table"), say("web.no-table-why"));
    else trouble(this.host, error, () => location.reload());
  }

  /** The table is there no longer, or not for us. @param {string} text why */
  #gone(text) {
    this.close();
    message(this.host, capital(text));
  }

  /** @param {"open" | "lost"} status */
  #status(status) {
    this.view.lost.hidden = status === "open";
    if (status === "lost" && !this.#lost) speak(say("web.connection-lost"));
    if (status === "open" && this.#lost) toast(say("web.connected-again"));
    this.#lost = status === "lost";
    if (status !== "open") return;
    if (!setting("plays")) change("plays", true);
    if (document.hidden) this.#look();
    this.analysis.reconnected();
  }

  /** Tell the server whether somebody looks at the table: who does gets no notices about it. */
  #look = () => {
    this.#live?.request({ type: "looking", table: this.id, on: !document.hidden }).catch(() => {});
  };

  async #sit() {
    const { askName } = await import("./invitation.js");
    await askName(this.host, say("web.invited-by-nobody", { game: this.model.title }));
    await post(`/tables/${this.id}/seats`, { name: setting("name") });
    this.#live?.restart();
  }

  // --- what the server says ----------------------------------------------------------------------

  /** @param {TableEvent} event */
  async #receive(event) {
    if (this.closed || event.table !== this.id) return;
    if (event.type === "gone") return this.#gone(event.text);
    const before = this.model.moves.length;
    const { offers, seats } = this.model;
    const kind = this.model.receive(event);
    if (kind === "gap") return void this.#try(this.#join());
    if (kind === "old") return;
    this.dice.note();
    if (event.type === "table") await this.#showTable(before);
    else if (event.type === "moved") this.#moved(offers);
    else if (event.type === "seats") this.#tellHints(seats);
    else if (event.type === "thinking") this.#thinking.add(event.seat);
    else if (event.type === "said") this.#said(event);
    else if (event.type === "ended") this.#ended();
    else if (event.type === "answered") this.#answered(event, offers);
    this.dice.watchSecret();
    this.render();
  }

  /** The whole table came. @param {number} before how many moves were known until now */
  async #showTable(before) {
    const controller = this.#controller ?? (await this.#begin());
    if (!controller || this.closed) return;
    this.replay.forget();
    this.hints.forget();
    if (this.model.moves.length < before) controller.hold();
    const near = before > 0 && Math.abs(this.model.moves.length - before) <= 2;
    if (this.replay.at !== null) this.replay.live();
    else await controller.refresh(near && !prefersReducedMotion() ? 1 : undefined);
  }

  /** Load what the game needs, and put its board on the page. @returns {Promise<GameController | null>} */
  async #begin() {
    try {
      const [list] = await Promise.all([games(), loadSprites(this.model.game)]);
      const game = list.find((each) => each.name === this.model.game);
      if (!game) throw new Error(say("web.no-page"));
      if (!this.closed) this.#controller ??= this.#newController(game);
    } catch (error) {
      this.#fail(error);
    }
    return this.#controller;
  }

  /** @param {Game} game */
  #newController(game) {
    const controller = new GameController(this.model, game, {
      send: async (seat, move) => void (await this.#ask({ type: "move", seat, move, at: this.model.moves.length })),
      complete: (seat, tokens, scene = false) => this.#ask({ type: "complete", seat, tokens, scene }),
      changed: () => this.render(),
      made: ({ seat, move }, told) => {
        const words = told || moveWords(game, move, this.model);
        speak(say("core.pair", { name: nameOf(this.model, seat), value: words }));
        play(seat === "chance" ? "roll" : "move");
      },
      news: (words) => this.news.tell(capital(words)),
      forced: (move) => this.view.refusal.showBelow(say("web.forced", { move: moveWords(game, move, this.model) })),
      refused: (token, why) => this.view.refusal.show(why, controller.board.boxOf(token)),
      held: () => this.view.refusal.showBelow(say("web.tap-again")),
      failed,
      speak,
    });
    this.view.placeBoard(controller.board.svg);
    return controller;
  }

  /** @param {Offer[]} offers those that were open before the move */
  #moved(offers) {
    for (const words of this.model.mine.length ? lapsedWords(offers, this.model.offers) : []) toast(words);
    this.#thinking.clear();
    this.hints.forget();
    const made = this.model.moves.at(-1);
    if (made) this.#controller?.follow(made);
  }

  /** Say who was given a hint. @param {Seat[]} before the seats until now */
  #tellHints(before) {
    for (const { seat, hints, mine } of this.model.seats) {
      if (!mine && hints > (before[seat]?.hints ?? hints)) {
        toast(say("web.hint-used", { name: nameOf(this.model, seat) }));
      }
    }
  }

  async #ended() {
    await this.#controller?.conclude();
    play("end");
    speak(resultWords(this.model).join(". "));
  }

  /** @param {SaidMessage} message */
  #said({ seat, name, text }) {
    if (this.model.isMine(seat)) return;
    this.view.side.attention("chat", true);
    play("chat");
    speak(say("core.pair", { name, value: text }));
  }

  /** @param {AnsweredMessage} message @param {Offer[]} offers those that were open before it */
  #answered(message, offers) {
    if (message.next_table && this.model.mine.length) go(to("table", message.next_table));
    else toast(refusalWords(this.model, offers, message));
  }

  /** @param {TableRequest} message @returns {Promise<Done>} */
  async #ask(message) {
    if (!this.#live) throw new Refused("lost", "");
    return this.#live.request({ ...message, table: this.id });
  }

  /** Send a request, and show why it failed; resolves with nothing then. @param {TableRequest} message */
  async #try(message) {
    try {
      return await this.#ask(message);
    } catch (error) {
      const lost = error instanceof Refused && error.code === "lost";
      if (!this.closed) failed(lost ? new Error(say("web.connection-lost")) : error);
      return undefined;
    }
  }

  async #loadHelp() {
    const { help } = this.view;
    if (help.childElementCount || !this.model.game) return;
    try {
      fill(help, boardPicture(this.model.game), await helpPage(this.model.game, 1));
    } catch (error) {
      failed(error);
    }
  }

  /** After the end of a rated game, find out what it did to the ratings; the result is there without it. */
  async #watchRatings() {
    if (!this.model.rated || !this.model.over || this.#ratingsAsked) return;
    this.#ratingsAsked = true;
    try {
      const { ratingChanges } = await import("../table/rating-changes.js");
      this.#ratings = await ratingChanges(this.model);
      this.render();
    } catch (error) {
      failed(error);
    }
  }

  // --- keys --------------------------------------------------------------------------------------

  /** @type {import("../table/table-keys.js").Keys} */
  #always = {
    Escape: () => this.#escape(),
    "?": () => this.commands.keys(),
    ArrowLeft: () => this.replay.step(-1),
    ArrowRight: () => this.replay.step(1),
    Home: () => this.replay.go(0),
    End: () => this.replay.live(),
  };

  /** @type {import("../table/table-keys.js").Keys} */
  #letters = {
    b: () => this.#controller?.board.focus(),
    u: () => this.#can.undo && this.commands.undo(),
    h: () => this.#can.hint && this.commands.hint(),
    a: () => this.#can.analysis && this.commands.analyse(),
    m: () => this.view.side.open("moves"),
    c: () => this.#can.chat && this.view.side.open("chat"),
    l: () => this.replay.live(),
    f: () => this.#controller?.canTurn && this.commands.turnBoard(),
  };

  #escape() {
    if (this.view.side.isOpen) this.view.side.close();
    else if (this.#controller && !this.#controller.stepBack()) this.hints.close();
  }

  // --- drawing -----------------------------------------------------------------------------------

  /** @returns {import("../table/view.js").Can} */
  get #can() {
    const { model } = this;
    const controller = this.#controller;
    const seated = model.mine.length > 0;
    const inGame = model.playing.length > 0 && !model.over;
    const playing = inGame && !model.rated && controller?.curtain === null;
    // At one screen each looks behind the curtain: what the engine says to one is not for the next.
    const alone = seated && !model.others && controller?.curtain === null;
    const secretOfEngine = controller?.game.hidden && model.seats.some(({ kind }) => kind === "engine");
    return {
      undo: playing && !secretOfEngine && !ownOffer(model) && model.moves.some((made) => model.isMine(made.seat)),
      hint: playing && model.hints && !controller.past && model.turn === controller.actor,
      resign: inGame,
      chat: CHAT && seated && model.others,
      analysis: !model.rated && (model.over || alone),
    };
  }

  /** Draw what changed, once for all that changes at the same time. */
  render() {
    if (this.#renderDue) return;
    this.#renderDue = true;
    queueMicrotask(() => {
      this.#renderDue = false;
      if (!this.model.ready || !this.#controller || this.closed) return;
      this.patience.watch(this.hints.coming);
      this.#watchRatings();
      this.analysis.playOpponents();
      if (!this.#can.analysis && this.analysis.on) this.analysis.switch(false);
      this.analysis.update();
      this.view.draw({
        controller: this.#controller,
        thinking: this.#thinking,
        slow: this.patience.slow,
        hint: this.hints.hint,
        dismissed: this.#dismissed,
        analysis: { on: this.analysis.on, panel: this.analysis.panel },
        dice: this.dice,
        ratings: this.#ratings,
        can: this.#can,
      });
      this.clocks.tick();
    });
  }
}
