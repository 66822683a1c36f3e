/** The page of a table: what the server says about it, and what a person does at it. */

import { get, post } from "./api.js";
import { artwork } from "./art.js";
import { games, helpPage } from "./catalogue.js";
import { Chat } from "./chat.js";
import { confirmed, show as showDialog } from "./dialogs.js";
import { fill, h } from "./dom.js";
import { boardPicture } from "./home-page.js";
import { language, mentions, say } from "./i18n.js";
import { Live } from "./live.js";
import { message, trouble } from "./message-page.js";
import { MoveList } from "./move-list.js";
import { failed, notice, speak } from "./notices.js";
import { nameOf } from "./people.js";
import { Replay } from "./replay.js";
import { forgetKey, go, to } from "./router.js";
import { calm, setting } from "./settings.js";
import { linkField, linkTo } from "./share.js";
import { resultWords } from "./sheets.js";
import { showShortcuts } from "./shortcuts.js";
import { play } from "./sound.js";
import { Stage } from "./stage.js";
import { TableModel } from "./table-model.js";
import { TableView } from "./table-view.js";

const PATIENCE = 4000; // so long nobody wonders why an engine does not answer

/** A contribution to the dice that nobody can guess. */
const newSeed = () => [...crypto.getRandomValues(new Uint32Array(4))].map((word) => word.toString(36)).join("");

export class TablePage {
  #thinking = new Set();
  #hint = null;
  #analysis = { on: false, at: -1, view: null };
  #dismissed = new Set();
  #seeded = false;
  #lost = false;
  #due = false;
  #patience = 0;
  #slow = false;

  /** @param {HTMLElement} host @param {string} id @param {string} key */
  constructor(host, id, key) {
    this.host = host;
    this.id = id;
    this.model = new TableModel(id);
    /** @type {Stage | null} */
    this.stage = null;
    this.replay = new Replay(id, {
      count: () => this.model.moves.length,
      seat: () => this.stage.seat,
      show: (scene, at, next) => this.stage.showPast(scene, next && !calm() ? 1 : undefined),
      live: () => this.stage.showLive(),
      changed: () => this.render(),
      failed,
    });
    const moves = new MoveList((at) => {
      this.replay.go(at);
      this.view.side.close(); // on a phone it lies over the board
    });
    const chat = new Chat((text) => this.#try({ type: "chat", seat: this.#own, text }));
    this.view = new TableView(host, this.model, this.replay, this.#deeds, { moves, chat });
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
    this.#open(key).catch((error) => this.#gone(error));
  }

  // --- coming and going ------------------------------------------------------------------------------

  #join = () => ({ type: "join", table: this.id, since: this.model.seq, scene: true, language: language() });

  /** @param {string} key */
  async #open(key) {
    if (key) {
      await post(`/tables/${this.id}/seats`, { key, name: setting("name") });
      forgetKey();
    }
    if (this.closed) return;
    this.games = games();
    this.games.catch(() => {}); // said when the games are needed
    this.live = new Live({
      join: this.#join,
      hear: (message) => this.#hear(message),
      status: (status) => this.#status(status),
      gone: (why) => this.#gone(why),
    });
  }

  close() {
    this.closed = true;
    clearTimeout(this.#patience);
    this.replay.pause();
    this.live?.close();
    document.body.classList.remove("table-open");
    document.removeEventListener("keydown", this.#key);
  }

  #gone(error) {
    if (this.closed) return;
    this.close();
    if (error.code === "unknown") message(this.host, say("web.no-table"), say("web.no-table-why"));
    else trouble(this.host, error, () => location.reload());
  }

  #status(status) {
    this.view.lost.hidden = status === "open";
    if (status === "lost" && !this.#lost) speak(say("web.connection-lost"));
    if (status === "open" && this.#lost) notice(say("web.connected-again"));
    this.#lost = status === "lost";
  }

  // --- what the server says --------------------------------------------------------------------------

  async #hear(message) {
    if (this.closed || (message.table !== undefined && message.table !== this.id)) return;
    const before = this.model.moves.length;
    const kind = this.model.hear(message);
    if (kind === "gap") return void this.#try(this.#join());
    if (kind === "table") await this.#whole(before);
    else if (kind === "moved") this.#moved();
    else if (kind === "thinking") this.#thinking.add(message.seat);
    else if (kind === "said") this.#said(message);
    else if (kind === "ended") this.#ended();
    else if (kind === "answered") this.#answered(message);
    this.#minds();
    this.render();
  }

  /** Tell whoever waits long for what an engine does for the first time that it is getting ready. */
  #minds() {
    const { turn, seats, moves } = this.model;
    const isEngine = (seat) => seats[seat]?.kind === "engine";
    const waits = this.#hint?.move === "" || (isEngine(turn) && !moves.some(({ seat }) => isEngine(seat)));
    if (waits && this.#patience) return;
    clearTimeout(this.#patience);
    this.#slow = false;
    this.#patience = !waits ? 0 : setTimeout(() => {
      this.#slow = true;
      speak(say("web.getting-ready"));
      this.render();
    }, PATIENCE);
  }

  async #whole(before) {
    if (!this.stage) {
      const needed = Promise.all([this.games, artwork(this.model.game)]);
      const [list] = await needed.catch((error) => [this.#gone(error)]);
      if (this.stage || this.closed) return;
      this.#begin(list);
    }
    this.replay.forget();
    this.#hint = null;
    this.#giveSeeds();
    const near = before > 0 && Math.abs(this.model.moves.length - before) <= 2;
    if (this.replay.at !== null) this.replay.live();
    else await this.stage.refresh(near && !calm() ? 1 : undefined);
  }

  /** @param {import("./catalogue.js").Game[]} list */
  #begin(list) {
    const game = list.find((each) => each.name === this.model.game);
    this.stage = new Stage(this.model, game.hidden, mentions(`${game.name}.note`), {
      send: async (seat, move) => void (await this.#ask({ type: "move", seat, move, at: this.model.moves.length })),
      complete: (seat, tokens, scene = false) => this.#ask({ type: "complete", seat, tokens, scene }),
      changed: () => this.render(),
      made: ({ seat, move }) => {
        speak(`${nameOf(this.model, seat)}: ${move}`);
        play(seat === "chance" ? "roll" : "move");
      },
      failed,
      speak,
    });
    this.view.take(this.stage);
  }

  #moved() {
    this.#thinking.clear();
    this.#hint = null;
    this.stage?.follow(this.model.moves.at(-1));
  }

  async #ended() {
    await this.stage?.conclude();
    play("end");
    speak(resultWords(this.model).join(". "));
  }

  /** Mix chance of our own into the dice, once, before the first roll. */
  #giveSeeds() {
    const rolled = this.model.moves.some((made) => made.seat === "chance");
    if (this.#seeded || !this.model.dice || this.model.over || rolled) return;
    this.#seeded = true;
    for (const seat of this.model.mine) this.#ask({ type: "seed", seat, seed: newSeed() }).catch(() => {});
  }

  #said({ seat, name, text }) {
    if (this.model.mine.includes(seat)) return;
    this.view.side.attention("chat", true);
    play("chat");
    speak(`${name}: ${text}`);
  }

  #answered(message) {
    if (message.next_table && this.model.mine.length) go(to("table", message.next_table));
    else if (!message.accept && !this.model.mine.includes(message.seat)) {
      notice(say("web.declined", { name: nameOf(this.model, message.seat) }));
    }
  }

  /** @param {*} message about this table */
  #ask(message) {
    return this.live.ask({ ...message, table: this.id });
  }

  /** Ask, and show why not; resolves with nothing then. */
  #try(message) {
    const words = (error) => (error.code === "lost" ? new Error(say("web.connection-lost")) : error);
    return this.#ask(message).catch((error) => {
      if (!this.closed) failed(words(error)); // who has left the table does not wait for its answers
    });
  }

  // --- what a person does ------------------------------------------------------------------------------

  /** My seat that speaks for me: the one that acts, or my first. */
  get #own() {
    return this.model.mine.includes(this.stage?.actor) ? this.stage.actor : this.model.mine[0];
  }

  /** @type {import("./table-view.js").Deeds} */
  #deeds = {
    undo: () => {
      const last = this.model.moves.findLast((made) => this.model.mine.includes(made.seat));
      this.#try({ type: "undo", seat: last?.seat ?? this.#own });
    },
    hint: () => this.#askHint(),
    playHint: () => {
      const { move } = this.#hint;
      this.#hint = null;
      this.stage.board.enter(move);
    },
    closeHint: () => this.#closeHint(),
    resign: async () => {
      this.view.side.close(); // on a phone it lies over the board, where the answer shows
      if (await confirmed(say("web.resign-sure"), say("web.resign"))) this.#try({ type: "resign", seat: this.#own });
    },
    draw: async () => {
      this.view.side.close();
      if (await this.#try({ type: "offer", seat: this.#own, what: "draw" })) notice(say("web.offered"));
    },
    rematch: () => {
      if (this.model.next_table) go(to("table", this.model.next_table));
      else this.#try({ type: "offer", seat: this.#own, what: "rematch" });
    },
    prove: () => this.#prove().catch(failed),
    analyse: () => {
      this.#analysis = { on: !this.#analysis.on, at: -1, view: null };
      this.view.side.open("moves");
      this.render();
    },
    invite: (seat) => {
      const link = linkTo(this.id, this.model.seats[seat].key);
      showDialog(say("web.invite"), linkField(say("web.invite-words"), link));
    },
    sit: () => this.#sit().catch(failed),
    answer: (what, accept) => this.#try({ type: "answer", seat: this.#own, what, accept }),
    dismiss: (what) => {
      this.#dismissed.add(what);
      this.render();
    },
  };

  async #askHint() {
    this.#hint = { move: "", why: "" };
    this.#minds();
    this.render();
    try {
      const hint = await post(`/tables/${this.id}/hint`, { seat: this.stage.actor });
      if (!this.#hint) return; // a move was made meanwhile
      this.#hint = hint;
      this.stage.board.advise(hint.move);
      speak(hint.why);
    } catch (error) {
      this.#hint = null;
      failed(error);
    }
    this.#minds();
    this.render();
  }

  #closeHint() {
    this.#hint = null;
    this.#minds();
    this.stage.board.advise(null);
    this.render();
  }

  async #prove() {
    const { lines } = await get(`/tables/${this.id}/proof`);
    showDialog(say("web.prove"), h("div", { class: "prose" }, lines.map((line) => h("p", {}, line))));
  }

  async #sit() {
    await post(`/tables/${this.id}/seats`, { name: setting("name") });
    this.live.restart();
  }

  /** Ask for the engine's view of the position in sight, if it is wanted and not known yet. */
  async #refreshAnalysis() {
    const { at } = this.view;
    if (!this.#analysis.on || this.#analysis.at === at) return;
    this.#analysis = { on: true, at, view: null };
    try {
      const seat = this.stage.hidden ? this.stage.seat : null;
      const view = await post(`/tables/${this.id}/analysis`, { at, seat });
      if (this.#analysis.at === at) this.#analysis.view = view;
    } catch (error) {
      this.#analysis.on = false;
      failed(error);
    }
    this.render();
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

  // --- keys --------------------------------------------------------------------------------------------

  #key = (event) => {
    const elsewhere = event.target.closest?.("input, textarea, select, #panel-help");
    if (elsewhere || document.querySelector("dialog[open]") || event.ctrlKey || event.metaKey || event.altKey) return;
    const act = this.#always[event.key] ?? (setting("shortcuts") ? this.#letters[event.key] : undefined);
    if (!act) return;
    act();
    event.preventDefault();
  };

  #always = {
    Escape: () => this.#escape(),
    "?": showShortcuts,
    ArrowLeft: () => this.replay.step(-1),
    ArrowRight: () => this.replay.step(1),
    Home: () => this.replay.go(0),
    End: () => this.replay.live(),
  };

  #letters = {
    b: () => this.stage?.board.focus(),
    u: () => this.#can.undo && this.#deeds.undo(),
    h: () => this.#can.hint && this.#deeds.hint(),
    m: () => this.view.side.open("moves"),
    c: () => this.#can.chat && this.view.side.open("chat"),
    l: () => this.replay.live(),
  };

  #escape() {
    if (this.view.side.isOpen) this.view.side.close();
    else if (this.stage && !this.stage.stepBack()) this.#closeHint();
  }

  // --- what is to be seen --------------------------------------------------------------------------------

  /** @returns {import("./table-view.js").Can} */
  get #can() {
    const { model, stage } = this;
    const seated = model.mine.length > 0;
    const playing = seated && !model.over && !model.rated && stage?.veil === null;
    const alone = seated && !model.others && !stage?.hidden;
    return {
      undo: playing && model.moves.some((made) => model.mine.includes(made.seat)),
      hint: playing && !stage.past && model.turn === stage.actor,
      chat: seated && model.others,
      analysis: !model.rated && (model.over || alone),
    };
  }

  /** Draw what changed, once for all that changes at the same time. */
  render() {
    if (this.#due) return;
    this.#due = true;
    queueMicrotask(() => {
      this.#due = false;
      if (!this.model.ready || !this.stage || this.closed) return;
      this.#refreshAnalysis();
      this.view.draw({
        thinking: this.#thinking,
        slow: this.#slow,
        hint: this.#hint,
        dismissed: this.#dismissed,
        analysis: this.#analysis,
        can: this.#can,
      });
    });
  }
}
