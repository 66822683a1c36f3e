/** The page of a table: what the server says about it, and what a person does at it. */

/**
 * @import {
 *   AnsweredMessage, Done, Game, Hint, Offer, SaidMessage, Seat, TableEvent, TableRequest
 * } from "../lib/protocol.js"
 */
/** @import { TableEngine } from "../engine/table-engine.js" */

import { loadSprites } from "../board/sprites.js";
import { ApiError, get, post } from "../lib/api.js";
import { boardPicture, games, helpPage } from "../lib/catalogue.js";
import { confirmed, show as showDialog } from "../lib/dialogs.js";
import { fill, h } from "../lib/dom.js";
import { capital, language, say } from "../lib/i18n.js";
import { LiveConnection, Refused } from "../lib/live-connection.js";
import { failed, notice, speak } from "../lib/notices.js";
import { forgetKey, go, to } from "../lib/router.js";
import { prefersReducedMotion, setting } from "../lib/settings.js";
import { play } from "../lib/sound.js";
import { plainMove, resultWords } from "../table/bottom-sheets.js";
import { Chat } from "../table/chat.js";
import { DiceNotes, faultWords, verdictWords } from "../table/dice-notes.js";
import { diceFields } from "../table/dice-proof.js";
import { GameController } from "../table/game-controller.js";
import { TableModel } from "../table/model.js";
import { MoveList } from "../table/move-list.js";
import { Replay } from "../table/replay.js";
import { lapsedWords, ownOffer, refusalWords } from "../table/offers.js";
import { nameOf } from "../table/seat-names.js";
import { shareGame } from "../table/share-game.js";
import { linkField, linkTo } from "../table/share-link.js";
import { showShortcuts } from "../table/shortcuts.js";
import { TableView } from "../table/view.js";
import { chooseLevel } from "./another-level.js";
import { askName, useKey } from "./invitation.js";
import { message, trouble } from "./message.js";

const NEWS = 9000; // milliseconds that what came of a move is told
const SECRET_WAIT = 3000; // milliseconds after the end within which the secret of the dice must be told
const PATIENCE = 4000; // milliseconds after which it is said why an engine does not answer yet

export class TablePage {
  /** @type {Set<number>} the seats of engines at work */
  #thinking = new Set();
  /** @type {Hint | null} without a move as long as it is on its way */
  #hint = null;
  /** Whether the position in sight is analysed. */
  #analysing = false;
  /** @type {TableEngine | null} the engine of the page, once it was needed */
  #engine = null;
  /** @type {Promise<TableEngine | null> | null} */
  #engineComing = null;
  /** @type {Set<string>} the bottom sheets that were closed */
  #dismissed = new Set();
  /** @type {Set<number>} the seats whose seeds were sent */
  #seeded = new Set();
  /** @type {import("../table/dice-notes.js").Verdict | null} what this browser found out about the dice, after the end */
  #verdict = null;
  #secretDue = 0;
  #lost = false;
  #renderDue = false;
  #patience = 0;
  #slow = false;
  /** @type {LiveConnection | null} */
  #live = null;
  /** @type {GameController | null} none until the table and the game's declaration have arrived */
  #controller = null;

  /** @param {HTMLElement} host @param {string} id @param {string} key */
  constructor(host, id, key) {
    this.host = host;
    this.id = id;
    this.closed = false;
    this.model = new TableModel(id);
    this.dice = new DiceNotes(id);
    this.replay = new Replay(id, {
      count: () => this.model.moves.length,
      seat: () => this.#controller?.seat ?? null,
      show: async (scene, next) => this.#controller?.showPast(scene, next && !prefersReducedMotion() ? 1 : undefined),
      live: () => this.#controller?.showLive(),
      changed: () => this.render(),
      failed,
    });
    const moves = new MoveList((at) => {
      this.replay.go(at);
      this.view.side.close(); // on a phone it lies over the board
    });
    const chat = new Chat((text) => this.#try({ type: "chat", seat: this.#own, text }));
    this.view = new TableView(host, this.model, this.replay, this.#commands, { moves, chat });
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
    document.addEventListener("keydown", this.#key);
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
      receive: (event) => this.#receive(event),
      status: (status) => this.#status(status),
      refused: (why) => this.#fail(why),
    });
  }

  close() {
    this.closed = true;
    clearTimeout(this.#patience);
    clearTimeout(this.#secretDue);
    this.replay.pause();
    this.#engine?.close();
    this.#live?.close();
    document.body.classList.remove("table-open");
    document.removeEventListener("keydown", this.#key);
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
    if (status === "open" && this.#lost) notice(say("web.connected-again"));
    this.#lost = status === "lost";
    if (status === "open") this.#engine?.reconnected();
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
    for (const fault of this.dice.note(this.model)) failed(new Error(faultWords(fault)));
    this.#giveSeeds(); // at once: the first roll does not wait for long
    if (event.type === "table") await this.#showTable(before);
    else if (event.type === "moved") this.#moved(offers);
    else if (event.type === "seats") this.#tellHints(seats);
    else if (event.type === "thinking") this.#thinking.add(event.seat);
    else if (event.type === "said") this.#said(event);
    else if (event.type === "ended") this.#ended();
    else if (event.type === "answered") this.#answered(event, offers);
    this.#watchSecret();
    this.#watchPatience();
    this.render();
  }

  /** Say that an engine is getting ready when it has not answered for long, the first time that it is needed. */
  #watchPatience() {
    const { turn, seats, moves } = this.model;
    /** @param {number | "chance" | null} seat */
    const isEngine = (seat) => typeof seat === "number" && seats[seat]?.kind === "engine";
    const waits = this.#hint?.move === "" || (isEngine(turn) && !moves.some(({ seat }) => isEngine(seat)));
    if (waits && this.#patience) return;
    clearTimeout(this.#patience);
    this.#slow = false;
    this.#patience = !waits
      ? 0
      : setTimeout(() => {
          this.#slow = true;
          speak(say("web.getting-ready"));
          this.render();
        }, PATIENCE);
  }

  /** The whole table came. @param {number} before how many moves were known until now */
  async #showTable(before) {
    const controller = this.#controller ?? (await this.#begin());
    if (!controller || this.closed) return;
    this.replay.forget();
    this.#hint = null;
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
      made: ({ seat, move }) => {
        speak(say("core.pair", { name: nameOf(this.model, seat), value: move }));
        play(seat === "chance" ? "roll" : "move");
      },
      news: (words) => notice(capital(words), "plain", NEWS),
      forced: (move) => notice(say("web.forced", { move: plainMove(this.model.game, move) })),
      refused: (token, why) => this.view.refusal.show(why, controller.board.boxOf(token)),
      failed,
      speak,
    });
    this.view.placeBoard(controller.board.svg);
    return controller;
  }

  /** @param {Offer[]} offers those that were open before the move */
  #moved(offers) {
    for (const words of this.model.mine.length ? lapsedWords(offers, this.model.offers) : []) notice(words);
    this.#thinking.clear();
    this.#hint = null;
    const made = this.model.moves.at(-1);
    if (made) this.#controller?.follow(made);
  }

  /** Say who was given a hint. @param {Seat[]} before the seats until now */
  #tellHints(before) {
    for (const { seat, hints, mine } of this.model.seats) {
      if (!mine && hints > (before[seat]?.hints ?? hints)) {
        notice(say("web.hint-used", { name: nameOf(this.model, seat) }));
      }
    }
  }

  async #ended() {
    await this.#controller?.conclude();
    play("end");
    speak(resultWords(this.model).join(". "));
  }

  /** Mix chance of our own into the dice, once, before the first roll. */
  #giveSeeds() {
    const rolled = this.model.moves.some((made) => made.seat === "chance");
    if (!this.model.dice || this.model.over || rolled) return;
    for (const seat of this.model.mine) if (!this.#seeded.has(seat)) this.#giveSeed(seat);
  }

  /** @param {number} seat */
  async #giveSeed(seat) {
    this.#seeded.add(seat);
    const seed = this.dice.seedFor(seat);
    if (seed === null) return;
    try {
      await this.#ask({ type: "seed", seat, seed });
      this.dice.taken(seat);
    } catch (error) {
      // Refused, it came too late: the check at the end says that it is not in the dice.
      if (error instanceof Refused && error.code === "lost") this.#seeded.delete(seat);
    }
    this.render();
  }

  /** After the end, check the dice as soon as their secret is told, or when it should have been. */
  #watchSecret() {
    const { dice, over } = this.model;
    if (!over || !dice || this.#verdict?.computed) return;
    clearTimeout(this.#secretDue);
    if (dice.secret) this.#checkDice().catch(failed);
    else this.#secretDue = setTimeout(() => this.#checkDice().catch(failed), SECRET_WAIT);
  }

  /** Compute the rolls here, and compare them with what this browser noted. */
  async #checkDice() {
    /** @returns {Promise<import("../lib/protocol.js").WeightedOutcome[][]>} */
    const ask = async () => (await get(`/tables/${this.id}/proof`)).outcomes ?? [];
    const verdict = await this.dice.check(this.model, ask);
    const [before, words] = [this.#verdict, verdict].map((each) => (each ? verdictWords(each)[0] : ""));
    this.#verdict = verdict;
    if (verdict?.faults.length && words !== before) failed(new Error(words));
    else if (words !== before) speak(words);
    this.render();
    return verdict;
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
    else notice(refusalWords(this.model, offers, message));
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

  // --- what a person does ------------------------------------------------------------------------

  /** My seat that speaks for me: the one that acts, or my first. */
  get #own() {
    const actor = this.#controller?.actor;
    const { playing, mine } = this.model;
    return this.model.isMine(actor) && playing.includes(actor) ? actor : (playing[0] ?? mine[0]);
  }

  /** @type {import("../table/view.js").Commands} */
  #commands = {
    undo: () => {
      const last = this.model.moves.findLast((made) => this.model.isMine(made.seat))?.seat;
      this.#try({ type: "undo", seat: this.model.isMine(last) ? last : this.#own });
    },
    hint: () => this.#askHint(),
    playHint: () => {
      const move = this.#hint?.move;
      this.#hint = null;
      if (move) this.#controller?.board.enter(move);
    },
    closeHint: () => this.#closeHint(),
    resign: async () => {
      this.view.side.close(); // on a phone it lies over the board, where the answer shows
      const question = say(this.model.seats.length > 2 ? "web.resign-sure-many" : "web.resign-sure");
      if (await confirmed(question, say("web.resign"))) this.#try({ type: "resign", seat: this.#own });
    },
    draw: async () => {
      this.view.side.close();
      this.#try({ type: "offer", seat: this.#own, what: "draw" });
    },
    withdraw: () => {
      const offer = ownOffer(this.model);
      if (offer) this.#try({ type: "answer", seat: offer.seat, what: offer.what, accept: false });
    },
    level: () => chooseLevel(this.model),
    share: () => shareGame(this.model),
    rematch: () => {
      if (this.model.next_table) go(to("table", this.model.next_table));
      else this.#try({ type: "offer", seat: this.#own, what: "rematch" });
    },
    prove: () => this.#prove().catch(failed),
    prepareAnalysis: () => {
      if (!this.#analysing && this.#controller?.game.engine) this.#withEngine((engine) => engine.prepare());
    },
    analyse: () => {
      const { side } = this.view;
      if (side.visible) side.select("moves");
      else side.open("moves");
      this.view.parts.moves.element.focus(); // on the tab, → would lead to the next one
      this.#analyse(!this.#analysing);
      this.render();
    },
    invite: (seat) => {
      const link = linkTo(this.id, this.model.seats[seat].key ?? "");
      showDialog(say("web.invite"), linkField(say("web.invite-words"), link));
    },
    sit: () => this.#sit().catch(failed),
    turnBoard: () => this.#controller?.turnBoard(),
    answer: (what, accept) => this.#try({ type: "answer", seat: this.#own, what, accept }),
    dismiss: (what) => {
      this.#dismissed.add(what);
      this.render();
    },
  };

  async #askHint() {
    this.#hint = { move: "", why: "" };
    this.#watchPatience();
    this.render();
    try {
      const hint = (await this.#ownHint()) ?? (await this.#serverHint());
      if (!this.#hint) return; // a move was made meanwhile
      this.#hint = hint;
      this.#controller?.board.advise(hint.move);
      speak(hint.why);
    } catch (error) {
      this.#hint = null;
      failed(error);
    }
    this.#watchPatience();
    this.render();
  }

  /** A hint of the page's engine, where it may be used: never while another person plays. @returns {Promise<Hint | null>} */
  async #ownHint() {
    const game = this.#controller?.game;
    const seat = this.#controller?.actor;
    if (!game?.engine || game.hidden || this.model.others || typeof seat !== "number") return null;
    this.#engineComing ??= this.#loadEngine();
    return (await this.#engineComing)?.hint(seat) ?? null;
  }

  /** @returns {Promise<Hint>} */
  #serverHint() {
    return post(`/tables/${this.id}/hint`, { seat: this.#controller?.actor });
  }

  #closeHint() {
    this.#hint = null;
    this.#watchPatience();
    this.#controller?.board.advise(null);
    this.render();
  }

  async #prove() {
    const verdict = await this.#checkDice();
    if (!verdict || !this.dice.noted) return;
    const paragraphs = verdictWords(verdict).map((line) => h("p", {}, line));
    const fields = diceFields(this.model, this.dice.noted);
    showDialog(say("web.prove"), h("div", { class: "list" }, h("div", { class: "prose" }, paragraphs), fields));
  }

  async #sit() {
    await askName(this.host, say("web.invited-by-nobody", { game: this.model.title }));
    await post(`/tables/${this.id}/seats`, { name: setting("name") });
    this.#live?.restart();
  }

  /** Analyse the position in sight from now on, or no more. @param {boolean} on */
  #analyse(on) {
    this.#analysing = on;
    this.#withEngine((engine) => engine.analyse(this.#analysing));
    if (!on || !this.model.over || this.replay.at !== null) return;
    // At the end there is nothing to decide: show the last decision.
    const last = this.model.moves.findLastIndex(({ seat }) => typeof seat === "number");
    if (last >= 0) this.replay.go(last);
  }

  /** Load the engine of the page, which nobody needs at first, and do something with it. @param {(engine: TableEngine) => void} act */
  #withEngine(act) {
    this.#engineComing ??= this.#loadEngine();
    this.#engineComing.then((engine) => {
      if (!engine || this.closed) return;
      act(engine);
      this.render();
    });
  }

  /** @returns {Promise<TableEngine | null>} */
  async #loadEngine() {
    try {
      const { TableEngine } = await import("../engine/table-engine.js");
      const controller = this.#controller;
      if (!controller || this.closed) return null;
      this.#engine = new TableEngine({
        id: this.id,
        model: this.model,
        controller,
        at: () => this.view.at,
        ask: (request) => this.#ask(request),
        changed: () => this.render(),
        previewing: () => this.view.side.close(), // on a phone it lies over the board
        restore: () => (this.replay.at === null ? controller.showLive() : this.replay.go(this.replay.at)),
      });
      return this.#engine;
    } catch (error) {
      this.#engineComing = null;
      this.#analysing = false;
      failed(error);
      return null;
    }
  }

  /** Let the page compute its opponents' moves, where nobody else plays and there is nothing to hide or to roll. */
  #playEngines() {
    const { model } = this;
    const game = this.#controller?.game;
    const alone = model.mine.length > 0 && !model.others && !model.rated && !model.over;
    if (this.#engineComing || !alone || !game?.engine || game.hidden || game.chance) return;
    if (model.seats.some(({ kind }) => kind === "engine")) this.#withEngine((engine) => engine.play());
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

  // --- keys --------------------------------------------------------------------------------------

  /** @param {KeyboardEvent} event */
  #key = (event) => {
    const { target } = event;
    const elsewhere = target instanceof Element && target.closest("input, textarea, select, #panel-help");
    if (elsewhere || document.querySelector("dialog[open]") || event.ctrlKey || event.metaKey || event.altKey) return;
    if (this.#engine?.key(event.key)) return event.preventDefault();
    const act = this.#always[event.key] ?? (setting("shortcuts") ? this.#letters[event.key] : undefined);
    if (!act) return;
    act();
    event.preventDefault();
  };

  /** @type {Object<string, () => void>} */
  #always = {
    Escape: () => this.#escape(),
    "?": showShortcuts,
    ArrowLeft: () => this.replay.step(-1),
    ArrowRight: () => this.replay.step(1),
    Home: () => this.replay.go(0),
    End: () => this.replay.live(),
  };

  /** @type {Object<string, () => void>} */
  #letters = {
    b: () => this.#controller?.board.focus(),
    u: () => this.#can.undo && this.#commands.undo(),
    h: () => this.#can.hint && this.#commands.hint(),
    a: () => this.#can.analysis && this.#commands.analyse(),
    m: () => this.view.side.open("moves"),
    c: () => this.#can.chat && this.view.side.open("chat"),
    l: () => this.replay.live(),
    f: () => this.#controller?.canTurn && this.#commands.turnBoard(),
  };

  #escape() {
    if (this.view.side.isOpen) this.view.side.close();
    else if (this.#controller && !this.#controller.stepBack()) this.#closeHint();
  }

  // --- drawing -----------------------------------------------------------------------------------

  /** @returns {import("../table/view.js").Can} */
  get #can() {
    const { model } = this;
    const controller = this.#controller;
    const seated = model.mine.length > 0;
    const inGame = model.playing.length > 0 && !model.over;
    const playing = inGame && !model.rated && controller?.curtain === null;
    const alone = seated && !model.others && !controller?.game.hidden;
    const secretOfEngine = controller?.game.hidden && model.seats.some(({ kind }) => kind === "engine");
    return {
      undo: playing && !secretOfEngine && !ownOffer(model) && model.moves.some((made) => model.isMine(made.seat)),
      hint: playing && model.hints && !controller.past && model.turn === controller.actor,
      resign: inGame,
      chat: seated && model.others,
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
      this.#playEngines();
      if (!this.#can.analysis && this.#analysing) this.#analyse(false);
      this.#engine?.update();
      this.view.draw({
        controller: this.#controller,
        thinking: this.#thinking,
        slow: this.#slow,
        hint: this.#hint,
        dismissed: this.#dismissed,
        analysis: { on: this.#analysing, panel: this.#engine?.panel ?? null },
        dice: this.dice.noted,
        verdict: this.#verdict,
        can: this.#can,
      });
    });
  }
}
