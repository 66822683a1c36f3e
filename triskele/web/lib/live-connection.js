/**
 * The live connection: one WebSocket for the page. After a loss it reconnects by itself, joins its table again and
 * sends again a move that was not answered.
 */

/** @import { ClientRequest, Done, LiveOwner, ServerMessage } from "./protocol.js" */

import { ApiError, post } from "./api.js";
import { language } from "./i18n.js";
import { SITE } from "./site.js";

// All in milliseconds.
const FIRST_WAIT = 500;
const LONGEST_WAIT = 15000;
const SILENCE = 25000; // after this long without a message the server is pinged

const TEMPORARY = ["limit", "busy", "failed", "offline"]; // refusals that may be different in a moment
const TRIES = 2; // first connections that fail before the server is asked why

/** A request that the server refused; `code` is `lost` when the connection was lost before the answer. */
export class Refused extends Error {
  /** @param {string} code @param {string} text */
  constructor(code, text) {
    super(text);
    this.code = code;
  }
}

/**
 * @typedef {{
 *   message: ClientRequest, resolve: (done: Done) => void, reject: (why: Refused) => void, resent: boolean
 * }} Pending a request that is not answered yet
 */

export class LiveConnection {
  /** @type {WebSocket | null} */
  #socket = null;
  /** @type {Map<string, Pending>} by the id of the request */
  #pending = new Map();
  #count = 0;
  #wait = FIRST_WAIT;
  #timer = 0;
  #closed = false;
  #lastReceived = 0;
  #heartbeat = 0;
  #failures = 0; // connections that failed, until the first one is established
  /** @type {Refused | null} why that may be */
  #reason = null;

  /** @param {LiveOwner} owner */
  constructor(owner) {
    this.owner = owner;
    this.#connect();
    this.#heartbeat = setInterval(() => this.#checkAlive(), SILENCE / 2);
    addEventListener("online", this.#reconnectNow);
    document.addEventListener("visibilitychange", this.#reconnectNow);
  }

  #reconnectNow = () => {
    if (!this.#socket && !document.hidden) this.#connect();
  };

  #connect() {
    clearTimeout(this.#timer);
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(`${scheme}//${location.host}${SITE}api/v1/live`);
    this.#socket = socket;
    socket.addEventListener("open", () => this.#opened());
    socket.addEventListener("message", (event) => this.#receive(JSON.parse(event.data)));
    socket.addEventListener("close", () => socket === this.#socket && this.#lost());
  }

  async #opened() {
    this.#wait = FIRST_WAIT;
    this.#failures = -Infinity;
    this.#lastReceived = Date.now();
    const unanswered = [...this.#pending.values()];
    this.#pending.clear();
    const joined = this.owner.join();
    try {
      await this.request(joined);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      if (error.code === "lost") return;
      if (TEMPORARY.includes(error.code))
        this.#socket?.close(); // which leads to another try
      else this.owner.refused(error);
      return;
    }
    this.owner.status("open");
    // Notices come over whatever connection there is; who was never here has none.
    if (joined.type !== "notices") this.request({ type: "notices", language: language() }).catch(() => {});
    for (const pending of unanswered) this.#send({ ...pending, resent: true });
  }

  #lost() {
    this.#socket = null;
    for (const [id, pending] of this.#pending) {
      if (pending.message.type === "move") continue;
      this.#pending.delete(id);
      pending.reject(new Refused("lost", ""));
    }
    if (this.#closed) return;
    this.#failures += 1;
    if (this.#reason && this.#failures > TRIES) return this.owner.refused(this.#reason);
    if (this.#failures >= TRIES) this.#askWhy();
    this.owner.status("lost");
    // Waits differ between clients, so that they do not all come back at the same moment.
    this.#timer = setTimeout(() => this.#connect(), this.#wait * (0.75 + Math.random() / 2));
    this.#wait = Math.min(LONGEST_WAIT, this.#wait * 2);
  }

  /**
   * Ask over HTTP why no connection can be opened: browsers do not tell. Usually a proxy between us and the server
   * does not pass WebSocket on. It counts if one more connection fails after the answer.
   */
  async #askWhy() {
    try {
      await post("/live", {});
    } catch (error) {
      if (error instanceof ApiError && !TEMPORARY.includes(error.code)) {
        this.#reason = new Refused(error.code, error.message);
      }
    }
  }

  #checkAlive() {
    if (this.#socket?.readyState !== WebSocket.OPEN) return;
    const silent = Date.now() - this.#lastReceived;
    if (silent > 2 * SILENCE) {
      const socket = this.#socket;
      this.#lost();
      socket.close();
    } else if (silent > SILENCE) this.request({ type: "ping" }).catch(() => {});
  }

  /** @param {Pending} pending */
  #send(pending) {
    const id = `q${++this.#count}`;
    this.#pending.set(id, pending);
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify({ ...pending.message, id }));
    else if (pending.message.type !== "move") {
      this.#pending.delete(id);
      pending.reject(new Refused("lost", ""));
    }
  }

  /** @param {ServerMessage} message */
  #receive(message) {
    this.#lastReceived = Date.now();
    if (message.type === "notices") return void dispatchEvent(new CustomEvent("notices", { detail: message }));
    if (message.type !== "done" && message.type !== "refused") return this.owner.receive(message);
    const pending = message.id === null ? undefined : this.#pending.get(message.id);
    if (message.id === null || !pending) return;
    this.#pending.delete(message.id);
    if (message.type === "done") pending.resolve(message);
    // A move sent again is stale when the first sending arrived after all: it was made.
    else if (pending.resent && message.code === "stale") pending.resolve({ type: "done", id: message.id });
    else pending.reject(new Refused(message.code, message.text));
  }

  /** Connect again, after the server has given this browser a visitor's cookie. */
  restart() {
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
    this.#connect();
  }

  /**
   * Send a request; resolves with `done`, rejects with `Refused`.
   * @param {ClientRequest} message
   * @returns {Promise<Done>}
   */
  request(message) {
    return new Promise((resolve, reject) => this.#send({ message, resolve, reject, resent: false }));
  }

  close() {
    this.#closed = true;
    clearTimeout(this.#timer);
    clearInterval(this.#heartbeat);
    removeEventListener("online", this.#reconnectNow);
    document.removeEventListener("visibilitychange", this.#reconnectNow);
    this.#socket?.close();
  }
}
