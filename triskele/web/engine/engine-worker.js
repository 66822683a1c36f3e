/** One Worker of an engine, as the page sees it: one search at a time, a new one ends the one before. */

/** @import { EngineAddresses, FromWorker, Found, Question, ToWorker } from "./messages.js" */

/** Why the engine in this browser cannot be used; `reason` names the words for it (`words.js`). */
export class EngineFailure extends Error {
  /** @param {string} reason */
  constructor(reason) {
    super(reason);
    this.reason = reason;
  }
}

export class EngineWorker {
  #id = 0;
  /** @type {{found: (found: Found) => void, resolve: (found: Found | null) => void, reject: (why: EngineFailure) => void} | null} */
  #running = null;
  /** @type {EngineFailure | null} */
  #failure = null;
  #worker;
  /** @type {() => void} */
  #loaded = () => {};
  /** @type {(why: EngineFailure) => void} */
  #refused = () => {};
  /** Resolves when the engine is loaded; rejects with an `EngineFailure`. @type {Promise<void>} */
  ready = new Promise((resolve, reject) => {
    this.#loaded = resolve;
    this.#refused = reject;
  });

  /**
   * Start a Worker and let it load an engine, which takes a while the first time.
   * @param {EngineAddresses} engine @param {number} memoryMb
   */
  constructor(engine, memoryMb) {
    this.#worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
    this.#worker.onmessage = (/** @type {MessageEvent<FromWorker>} */ { data }) => this.#receive(data);
    this.#worker.onerror = (event) => {
      event.preventDefault();
      this.#fail(new EngineFailure("broken"));
    };
    this.ready.catch(() => {}); // whoever waits for it is told
    this.#send({ type: "load", engine, memoryMb });
  }

  /** @param {ToWorker} message */
  #send(message) {
    this.#worker.postMessage(message);
  }

  /** @param {EngineFailure} failure */
  #fail(failure) {
    this.#failure = failure;
    this.#refused(failure);
    this.#running?.reject(failure);
    this.#running = null;
    this.#worker.terminate();
  }

  /** @param {FromWorker} message */
  #receive(message) {
    if (message.type === "failed") return this.#fail(new EngineFailure(message.reason));
    if (message.type === "ready") this.#loaded();
    const running = this.#running;
    if (message.type !== "found" || message.id !== this.#id || !running) return undefined;
    running.found(message.found);
    if (message.over) {
      this.#running = null;
      running.resolve(message.found);
    }
    return undefined;
  }

  /**
   * Ask; what is found on the way goes to `found`. Resolves with the answer, or with nothing when it was stopped;
   * rejects with an `EngineFailure`.
   * @param {Question} question @param {(found: Found) => void} [found] @returns {Promise<Found | null>}
   */
  search(question, found = () => {}) {
    this.stop();
    if (this.#failure) return Promise.reject(this.#failure);
    const id = ++this.#id;
    return new Promise((resolve, reject) => {
      this.#running = { found, resolve, reject };
      this.#send({ type: "search", id, question });
    });
  }

  /** Stop searching: nothing more is heard of it. */
  stop() {
    if (!this.#running) return;
    this.#running.resolve(null);
    this.#running = null;
    this.#id++;
    this.#send({ type: "stop" });
  }

  close() {
    this.stop();
    this.#worker.terminate();
  }
}
