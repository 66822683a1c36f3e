/** Begins before the rest of the page has arrived: fetches what every page needs, the words and the games. */

import { games } from "./catalogue.js";
import { loadWords } from "./i18n.js";

loadWords().then(games).catch(() => {}); // whoever needs them asks again, and says what is wrong
