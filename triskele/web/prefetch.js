/** Runs before the rest of the page has arrived: fetches what every page needs, the words and the games. */

import { games } from "./lib/catalogue.js";
import { loadWords } from "./lib/i18n.js";

loadWords()
  .then(games)
  .catch(() => {}); // asked for again, with a message, where they are needed
