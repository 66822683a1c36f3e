/**
 * The live connection: one WebSocket for the page. It comes back by itself after a loss, joins again what
 * was followed, and sends again a move that was not answered.
 */

const FIRST_WAIT = 500;
const LONGEST_WAIT = 15000;
const FOR_NOW = ["limit", "busy", "failed"]; // refusals that may be different in a moment
const SILENCE = 25000; // a connection is asked for a sign of life after so long

/** A refusal of something asked; `code` is `lost` when the connection went before the answer. */
export class Refused extends Error {
  /** @param {string} code @param {string} text */
  constructor(code, text) {
    super(text);
    this.code = code;
  }
}

/**
 * @typedef {{type: string, id?: string} & Object<string, *>} Message
 * @typedef {{
 *   message: Message, resolve: (done: Message) => void, reject: (why: Refused) => void, again: boolean
 * }} Question
 */

export class Live {
  /** @type {WebSocket | null} */
  #socket = null;
  /** @type {Map<string, Question>} */
  #open = new Map();
  #count = 0;
  #wait = FIRST_WAIT;
  #timer = 0;
  #closed = false;
  #lastHeard = 0;

  /**
   * @param {{
   *   join: () => Message, hear: (message: Message) => void, status: (status: "open" | "lost") => void,
   *   gone: (why: Refused) => void
   * }} owner
   * `join` is sent whenever the connection (again) stands; `gone`: it was refused
   */
  constructor(owner) {
    this.owner = owner;
    this.#connect();
    this.#pulse = setInterval(() => this.#check(), SILENCE / 2);
    addEventListener("online", this.#hurry);
    document.addEventListener("visibilitychange", this.#hurry);
  }

  #pulse;

  #hurry = () => {
    if (!this.#socket && !document.hidden) this.#connect();
  };

  #connect() {
    clearTimeout(this.#timer);
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(`${scheme}//${location.host}/api/v1/live`);
    this.#socket = socket;
    socket.addEventListener("open", () => this.#stands());
    socket.addEventListener("message", (event) => this.#hear(JSON.parse(event.data)));
    socket.addEventListener("close", () => socket === this.#socket && this.#lost());
  }

  async #stands() {
    this.#wait = FIRST_WAIT;
    this.#lastHeard = Date.now();
    const waiting = [...this.#open.values()];
    this.#open.clear();
    try {
      await this.ask(this.owner.join());
    } catch (why) {
      if (why.code === "lost") return;
      if (FOR_NOW.includes(why.code)) return this.#socket?.close(); // and so it is tried again
      return this.owner.gone(why);
    }
    this.owner.status("open");
    for (const question of waiting) this.#send({ ...question, again: true });
  }

  #lost() {
    this.#socket = null;
    for (const [id, question] of this.#open) {
      if (question.message.type === "move") continue;
      this.#open.delete(id);
      question.reject(new Refused("lost", ""));
    }
    if (this.#closed) return;
    this.owner.status("lost");
    this.#timer = setTimeout(() => this.#connect(), this.#wait * (0.75 + Math.random() / 2));
    this.#wait = Math.min(LONGEST_WAIT, this.#wait * 2);
  }

  #check() {
    if (this.#socket?.readyState !== WebSocket.OPEN) return;
    const silent = Date.now() - this.#lastHeard;
    if (silent > 2 * SILENCE) {
      const socket = this.#socket;
      this.#lost();
      socket.close();
    } else if (silent > SILENCE) this.ask({ type: "ping" }).catch(() => {});
  }

  /** @param {Question} question */
  #send(question) {
    const id = `q${++this.#count}`;
    this.#open.set(id, question);
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify({ ...question.message, id }));
    else if (question.message.type !== "move") {
      this.#open.delete(id);
      question.reject(new Refused("lost", ""));
    }
  }

  /** @param {Message} message */
  #hear(message) {
    this.#lastHeard = Date.now();
    const question = message.id === undefined ? undefined : this.#open.get(message.id);
    if (!question) return message.type === "refused" ? undefined : this.owner.hear(message);
    this.#open.delete(message.id);
    // A move sent again is stale when the first sending arrived after all: it was made.
    if (message.type === "done" || (question.again && message.code === "stale")) question.resolve(message);
    else question.reject(new Refused(message.code, message.text));
  }

  /** Connect anew: whoever was nobody until now has a name to the server since. */
  restart() {
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
    this.#connect();
  }

  /**
   * Ask for something; resolves with `done`, rejects with `Refused`.
   * @param {Message} message
   * @returns {Promise<Message>}
   */
  ask(message) {
    return new Promise((resolve, reject) => this.#send({ message, resolve, reject, again: false }));
  }

  close() {
    this.#closed = true;
    clearTimeout(this.#timer);
    clearInterval(this.#pulse);
    removeEventListener("online", this.#hurry);
    document.removeEventListener("visibilitychange", this.#hurry);
    this.#socket?.close();
  }
}
