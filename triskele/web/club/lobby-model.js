/** The lobby as this page knows it: its lists, kept up to date by differences. */

/** @import { LobbyChanged, LobbyEvent, LobbyGame, LobbyPerson, LobbySeek, LobbyShown } from "../lib/protocol.js" */

export class LobbyModel {
  constructor() {
    this.here = 0;
    this.guests = 0;
    /** @type {Map<string, LobbyPerson>} */
    this.people = new Map();
    /** @type {Map<string, LobbySeek>} */
    this.seeks = new Map();
    /** @type {Map<string, LobbyGame>} */
    this.games = new Map();
    /** @type {Map<string, LobbySeek>} challenges to me */
    this.challenges = new Map();
    /** @type {Map<string, LobbySeek>} challenges by me */
    this.waiting = new Map();
    /** @type {Set<string>} the seeks that I made or take part in */
    this.mine = new Set();
    /** @type {string | null} the search for any opponent */
    this.search = null;
  }

  /** @param {LobbyEvent} event @returns {string | null} the table of a game that has begun */
  receive(event) {
    if (event.type === "begun") return event.table;
    if (event.type === "sought") this.#sought(event.seek, event.state);
    else this.#lists(event);
    return null;
  }

  /** @param {LobbyShown | LobbyChanged} event */
  #lists(event) {
    if (event.type === "lobby") {
      this.people.clear();
      this.seeks.clear();
      this.games.clear();
      this.challenges.clear();
      this.waiting.clear();
    } else {
      event.people_gone.forEach((name) => this.people.delete(name));
      event.seeks_gone.forEach((seek) => this.seeks.delete(seek));
      event.games_gone.forEach((table) => this.games.delete(table));
    }
    this.here = event.here;
    this.guests = event.guests;
    event.people.forEach((person) => this.people.set(person.name, person));
    event.seeks.forEach((seek) => this.seeks.set(seek.seek, seek));
    event.games.forEach((game) => this.games.set(game.table, game));
  }

  /** @param {LobbySeek} seek @param {"challenged" | "waits" | "gone"} state */
  #sought(seek, state) {
    if (state === "challenged") this.challenges.set(seek.seek, seek);
    else if (state === "waits") this.waiting.set(seek.seek, seek);
    else {
      this.challenges.delete(seek.seek);
      this.waiting.delete(seek.seek);
      this.mine.delete(seek.seek);
    }
  }

  /** The connection was lost: what I sought was withdrawn, or soon is. */
  lost() {
    this.mine.clear();
    this.search = null;
  }
}
