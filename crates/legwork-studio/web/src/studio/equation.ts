/** The equation behind a quantity, with the numbers of now in it. */

import { button, h } from "../view/dom";
import type { Equation } from "./messages";
import type { Session } from "./session";

export function equations(session: Session): (words: string, quantity: string) => void {
  const list = h("div", { class: "equations" });
  const dialog = h("dialog", { class: "sheet-dialog", "aria-label": "Equations" });
  const close = button("Close", () => dialog.close(), { class: "quiet" });
  dialog.append(h("header", {}, h("h2", {}, "Equations, with the numbers of this pose"), close), list);
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  document.body.append(dialog);
  return (words, quantity) => {
    let all: Equation[];
    try {
      all = session.engine.ask({ ask: "equations", ...session.question });
    } catch (error) {
      return session.sayRefusal(error);
    }
    const isMeant = (one: Equation) => one.quantity === quantity;
    const meant = all.filter(isMeant);
    const others = all.filter((one) => !isMeant(one));
    const missing = meant.length > 0 ? null : h("p", { class: "hint" }, `No equation is kept for “${words}” alone; these are the ones of this robot.`);
    const more = h("details", { class: "part" }, h("summary", {}, h("h3", {}, "All equations of this robot")), h("div", { class: "inside" }, ...others.map(card)));
    more.open = meant.length === 0;
    list.replaceChildren(...[missing, ...meant.map(card), others.length > 0 ? more : null].filter((one) => one != null));
    dialog.showModal();
    list.scrollTop = 0;
  };
}

function card(one: Equation): HTMLElement {
  const rows = one.symbols.map(({ symbol, meaning, value }) => h("tr", {}, h("th", { scope: "row" }, symbol), h("td", {}, meaning), h("td", { class: "number" }, value)));
  return h(
    "article",
    { class: "equation" },
    h("h3", {}, one.title),
    h("p", { class: "formula" }, one.formula),
    one.filled.length > 0 ? h("p", { class: "formula filled", tabindex: "0" }, one.filled.join("\n")) : null,
    rows.length > 0 ? h("div", { class: "scroll" }, h("table", {}, h("tbody", {}, ...rows))) : null,
    h("p", { class: "hint" }, one.source),
  );
}
