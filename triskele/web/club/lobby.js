/** The lobby: games that wait for players, an opponent found by rating, people to challenge, games to watch. */

/** @import { Account, ClientRequest, Done, Game, LobbyEvent, LobbySeek, Options, PersonRatings, RatingHistory } from "../lib/protocol.js" */

import { get, post } from "../lib/api.js";
import { boardPicture, games } from "../lib/catalogue.js";
import { button, fill, h, icon } from "../lib/dom.js";
import { number, say } from "../lib/i18n.js";
import { LiveConnection, Refused } from "../lib/live-connection.js";
import { failed, toast } from "../lib/toasts.js";
import { go, to } from "../lib/router.js";
import { setting } from "../lib/settings.js";
import { LobbyForm } from "./lobby-form.js";
import { LobbyModel } from "./lobby-model.js";
import { botMark, filledWords, paceWords, playersWords } from "./players.js";
import { prepare, text } from "./setup.js";
import { variantWords } from "./variants.js";

class LobbyPage {
  /**
   * @param {HTMLElement} host @param {Game[]} list @param {Account | null} account @param {RatingHistory[]} ratings
   * @param {string} opponent who is to be challenged, if somebody is
   */
  constructor(host, list, account, ratings, opponent) {
    this.games = list;
    this.model = new LobbyModel();
    this.account = account;
    this.counts = h("p", { class: "muted", role: "status" }, text("lobby-connecting"));
    const acts = {
      find: () => this.#find(),
      stop: () => this.#stop(),
      offer: () => this.#offer(),
      challenge: (/** @type {string} */ name) => this.#challenge(name),
    };
    this.form = new LobbyForm(list, account !== null, ratings, acts, opponent === account?.name ? "" : opponent);
    this.challenges = h("section", { "aria-live": "polite" });
    this.seeks = h("ul", { class: "seeks" });
    this.watch = h("ul", { class: "seeks" });
    this.people = h("ul", { class: "people" });
    /** @param {string} title @param {HTMLElement} list @param {...Element} more */
    const section = (title, list, ...more) => h("section", {}, h("h2", {}, title), list, more);
    fill(
      host,
      h(
        "div",
        { class: "page lobby" },
        h("h1", {}, say("web.lobby")),
        this.counts,
        this.challenges,
        h(
          "div",
          { class: "lobby-columns" },
          section(text("lobby-open"), this.seeks),
          h(
            "div",
            { class: "lobby-side" },
            this.form.element,
            section(text("lobby-people"), this.people),
            h("p", {}, h("a", { href: to("ratings") }, text("leaderboards"))),
          ),
          section(text("lobby-watch"), this.watch),
        ),
      ),
    );
    this.live = new LiveConnection({
      join: () => ({ type: "lobby", name: setting("name") }),
      receive: (event) => this.#receive(/** @type {LobbyEvent} */ (event)), // no table is followed here
      status: (status) => this.#status(status),
      refused: (why) => this.#refused(why),
    });
    this.#draw();
  }

  close() {
    this.live.close();
  }

  /** @param {LobbyEvent} event */
  #receive(event) {
    const table = this.model.receive(event);
    if (table) return go(to("table", table));
    if (event.type === "sought" && event.state === "gone") toast(text("lobby-gone"));
    this.#draw();
  }

  /** @param {"open" | "lost"} status */
  #status(status) {
    if (status === "lost") {
      this.model.lost();
      this.counts.textContent = text("lobby-connecting");
    }
    this.#draw();
  }

  /** @param {Refused} why */
  async #refused(why) {
    if (why.code !== "visitor") return failed(why);
    try {
      await post("/visitors", {}); // the lobby knows everybody, also guests who were never here
      this.live.restart();
    } catch (error) {
      failed(error);
    }
  }

  /** Ask, and say what is wrong. @param {ClientRequest} request @returns {Promise<Done | null>} */
  async #ask(request) {
    try {
      return await this.live.request(request);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      failed(error.code === "lost" ? new Error(say("web.offline")) : error);
      return null;
    }
  }

  async #find() {
    const done = await this.#ask({ type: "seek", ...this.form.wanted(2), quick: true });
    this.model.search = done?.seek ?? null;
    this.#draw();
  }

  async #stop() {
    const seek = this.model.search;
    this.model.search = null;
    this.#draw();
    if (seek) await this.live.request({ type: "withdraw", seek }).catch(() => {}); // it may have become a game
  }

  async #offer() {
    const done = await this.#ask({ type: "seek", ...this.form.offered() });
    if (done?.seek) this.model.mine.add(done.seek);
    this.#draw();
  }

  /** @param {LobbySeek} seek */
  async #accept(seek) {
    if (await this.#ask({ type: "accept", seek: seek.seek })) this.model.mine.add(seek.seek);
    this.#draw();
  }

  /** @param {LobbySeek} seek */
  async #withdraw(seek) {
    this.model.mine.delete(seek.seek);
    await this.#ask({ type: "withdraw", seek: seek.seek });
    this.#draw();
  }

  /** @param {string} name */
  async #challenge(name) {
    if (await this.#ask({ type: "seek", ...this.form.wanted(2), to: name })) toast(text("lobby-challenged", { name }));
  }

  #draw() {
    const { model } = this;
    if (model.here) this.counts.textContent = text("lobby-here", { n: model.here });
    this.form.searching(model.search !== null);
    const challenges = [...model.challenges.values()];
    fill(
      this.challenges,
      challenges.length
        ? [
            h("h2", {}, text("lobby-challenges")),
            h(
              "ul",
              { class: "seeks" },
              challenges.map((seek) => this.#row(seek, this.#answers(seek))),
            ),
          ]
        : null,
    );
    const seeks = [...model.seeks.values()];
    fill(
      this.seeks,
      seeks.length
        ? seeks.map((seek) => this.#row(seek, this.#actions(seek)))
        : h("li", { class: "none muted" }, text("lobby-none")),
    );
    const watched = [...model.games.values()];
    fill(
      this.watch,
      watched.length
        ? watched.map((game) => this.#watched(game))
        : h("li", { class: "none muted" }, text("lobby-none-watched")),
    );
    fill(this.people, this.#persons());
  }

  /** @param {{game: string, clock: string, rated: boolean, options: Options}} about */
  #about({ game, clock, rated, options }) {
    const played = this.games.find((each) => each.name === game);
    const words = [paceWords(clock), rated ? text("lobby-rated") : text("lobby-unrated")];
    return { title: played?.title ?? game, words: [...words, ...variantWords(played, options)] };
  }

  /** @param {LobbySeek} seek @param {Element[]} actions */
  #row(seek, actions) {
    const { title, words } = this.#about(seek);
    if (seek.low !== null || seek.high !== null) {
      words.push(
        text("lobby-range", { low: number(seek.low ?? 0), high: seek.high === null ? "∞" : number(seek.high) }),
      );
    }
    if (seek.engines !== null) words.push(text("lobby-filled-up", { level: seek.engines }));
    const players = seek.seats > 2 ? ` · ${filledWords(seek.players.length, seek.seats)}` : "";
    return h(
      "li",
      { class: this.model.mine.has(seek.seek) ? "mine" : "" },
      boardPicture(seek.game),
      h(
        "div",
        { class: "what" },
        h("b", {}, `${title}${players}`),
        h("span", {}, playersWords(seek.players)),
        h("small", { class: "muted" }, words.join(" · ")),
      ),
      h("div", { class: "acts" }, actions),
    );
  }

  /** @param {LobbySeek} seek */
  #actions(seek) {
    const title = this.#about(seek).title;
    const owner = seek.players[0];
    if (!this.model.mine.has(seek.seek)) {
      const label = text("lobby-play-with", { game: title, name: owner.name || text("lobby-guest") });
      return [button(say("web.play"), () => this.#accept(seek), { class: "button primary", "aria-label": label })];
    }
    const begin = text("lobby-begin", { agreed: number(seek.agreed), n: seek.players.length });
    return [
      seek.players.length > 1 && seek.players.length < seek.seats
        ? button(begin, () => this.#ask({ type: "agree", seek: seek.seek }), { class: "button primary" })
        : null,
      button(text("lobby-withdraw"), () => this.#withdraw(seek), {
        "aria-label": text("lobby-withdraw-game", { game: title }),
      }),
    ].filter((each) => each !== null);
  }

  /** @param {LobbySeek} seek */
  #answers(seek) {
    return [
      button(say("web.accept"), () => this.#accept(seek), { class: "button primary" }),
      button(say("web.decline"), () => this.#withdraw(seek)),
    ];
  }

  /** @param {import("../lib/protocol.js").LobbyGame} game */
  #watched(game) {
    const { title, words } = this.#about(game);
    return h(
      "li",
      {},
      h(
        "a",
        { href: to("table", game.table) },
        icon("eye"),
        h(
          "span",
          { class: "what" },
          h("b", {}, title),
          h("span", {}, playersWords(game.players)),
          h("small", { class: "muted" }, words.join(" · ")),
        ),
      ),
    );
  }

  #persons() {
    const { model, account } = this;
    const rows = [...model.people.values()].map(({ name, bot }) =>
      h(
        "li",
        {},
        h("a", { href: to("people", name) }, name),
        bot ? botMark() : null,
        account && account.name !== name
          ? button(text("lobby-challenge"), () => this.#challenge(name), {
              "aria-label": text("lobby-challenge-person", { name }),
            })
          : null,
      ),
    );
    const guests = model.guests ? h("li", { class: "muted" }, text("lobby-guests", { n: model.guests })) : null;
    return [rows, guests];
  }
}

/** My ratings; none where they cannot be had, since one plays without. @param {string} name @returns {Promise<RatingHistory[]>} */
async function ownRatings(name) {
  try {
    /** @type {PersonRatings} */
    const { ratings } = await get(`/people/${encodeURIComponent(name)}/ratings`);
    return ratings;
  } catch {
    return [];
  }
}

/**
 * @param {HTMLElement} host @param {string} opponent who is to be challenged, if somebody is
 * @returns {Promise<LobbyPage>} which is closed when another page is shown
 */
export async function lobbyPage(host, opponent) {
  /** @type {Promise<{account: Account | null}>} */
  const asked = get("/account");
  const [list, { account }] = await Promise.all([games(), asked, prepare()]);
  const ratings = account ? await ownRatings(account.name) : [];
  return new LobbyPage(host, list, account, ratings, opponent);
}
