/** Picks a robot: all that come with legwork, by family, or a file. */

import { button, h } from "../view/dom";
import type { RobotListEntry } from "./messages";

export function picker(list: () => Promise<RobotListEntry[]>, choose: (name: string) => void, file: () => void): { open: () => void } {
  const search = h("input", { type: "search", placeholder: "Search by name, family or source", "aria-label": "Search robots", autocomplete: "off" });
  const cards = h("div", { class: "robots" });
  const dialog = h("dialog", { class: "sheet-dialog picker", "aria-label": "Pick a robot" });
  const close = button("Close", () => dialog.close(), { class: "quiet" });
  const open = button("Open a file …", () => {
    dialog.close();
    file();
  });
  dialog.append(h("header", {}, h("h2", {}, "Pick a robot"), open, close), search, cards);
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  document.body.append(dialog);
  let entries: RobotListEntry[] = [];
  const show = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter((word) => word !== "");
    const found = entries.filter((one) => words.every((word) => `${one.name} ${one.family} ${one.sentence} ${one.source ?? ""}`.toLowerCase().includes(word)));
    const families = [...new Set(found.map((one) => one.family))];
    cards.replaceChildren(
      ...families.flatMap((family) => [
        h("h3", {}, family),
        h("p", { class: "hint" }, found.find((one) => one.family === family)!.sentence),
        h("div", { class: "cards" }, ...found.filter((one) => one.family === family).map((one) => {
          const card = h("button", { type: "button", class: "robot-card", title: one.source ?? "" }, h("b", {}, one.name), h("span", {}, `motors: ${one.motors} · freedoms: ${one.freedoms.join(" ")}${one.masses ? "" : " · no masses"}`), h("span", { class: "hint" }, one.source ?? ""));
          card.addEventListener("click", () => {
            dialog.close();
            choose(one.name);
          });
          return card;
        })),
      ]),
      ...(found.length === 0 && entries.length > 0 ? [h("p", { class: "hint" }, "No robot has these words.")] : []),
    );
  };
  search.addEventListener("input", show);
  return {
    open: () => {
      search.value = "";
      show();
      dialog.showModal();
      search.focus();
      if (entries.length > 0) return;
      // A worker is asked, once: the library opens every robot for it.
      cards.replaceChildren(h("p", { class: "hint" }, "Opening all robots …"));
      void list().then((all) => {
        entries = all;
        show();
      });
    },
  };
}
