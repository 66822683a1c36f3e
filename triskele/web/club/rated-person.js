/** The ratings of a person, each with its history drawn. */

/** @import { PersonRatings } from "../lib/protocol.js" */

import { ApiError, get } from "../lib/api.js";
import { games } from "../lib/catalogue.js";
import { fill, h } from "../lib/dom.js";
import { to } from "../lib/router.js";
import { noPage } from "../pages/message.js";
import { botMark } from "./players.js";
import { ratingHistory } from "./rating-history.js";
import { prepare, text } from "./setup.js";

/** @param {HTMLElement} host @param {string} name of the person */
export async function ratedPersonPage(host, name) {
  /** @type {Promise<PersonRatings>} */
  const asked = get(`/people/${encodeURIComponent(name)}/ratings`);
  try {
    const [list, person] = await Promise.all([games(), asked, prepare()]);
    /** @param {string} game */
    const title = (game) => list.find((each) => each.name === game)?.title ?? game;
    fill(
      host,
      h(
        "div",
        { class: "page ratings" },
        h("h1", {}, person.name, person.bot ? [" ", botMark()] : null),
        person.ratings.length
          ? h(
              "div",
              { class: "rating-cards" },
              person.ratings.map((rating) => ratingHistory(rating, title(rating.game))),
            )
          : h("p", { class: "muted" }, text("rating-none")),
        h("p", {}, h("a", { href: to("ratings") }, text("leaderboards"))),
      ),
    );
  } catch (error) {
    if (!(error instanceof ApiError && error.code === "unknown")) throw error;
    noPage(host);
  }
}
