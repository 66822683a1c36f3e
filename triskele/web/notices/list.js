/** The list of notices that were not seen yet, above one's games. */

/** @import { NoticeShown } from "../lib/protocol.js" */

import { post } from "../lib/api.js";
import { button, fill, h, icon } from "../lib/dom.js";
import { ago, say } from "../lib/i18n.js";
import { failed } from "../lib/toasts.js";
import { to } from "../lib/router.js";
import { setting } from "../lib/settings.js";
import { prepare, text } from "./setup.js";

/** Show notices, and a way to choose what one is told. @param {HTMLElement} host @param {NoticeShown[]} notices */
export async function drawNotices(host, notices) {
  await prepare();
  const see = () => post("/notices/seen", {}).catch(failed); // the server then says that none are left
  const choose = setting("account")
    ? h("a", { class: "button", href: to("notices") }, icon("bell"), text("choose"))
    : null;
  const any = notices.length > 0;
  fill(
    host,
    any ? h("h2", {}, say("web.notices")) : null,
    any ? h("ul", { class: "resume" }, notices.map(line)) : null,
    any || choose ? h("div", { class: "row notice-acts" }, any ? button(text("see-all"), see) : null, choose) : null,
  );
}

/** @param {NoticeShown} notice */
const line = ({ table, title, text: words, at }) =>
  h(
    "li",
    {},
    h(
      "a",
      { href: to("table", table) },
      h("span", { class: "what" }, h("b", {}, title), h("small", {}, `${words} · ${ago(at)}`)),
    ),
  );
