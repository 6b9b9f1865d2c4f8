/** Lays out a report. */

import { render } from "../view/blocks";
import { Hub } from "../view/clock";
import type { Report } from "../view/document";
import { button, h } from "../view/dom";
import { transport } from "../view/transport";

/** Text with a button that copies it. */
function copied(title: string, text: string, open: boolean): HTMLElement {
  const pre = h("pre", { tabindex: "0" }, text);
  const copy = button("Copy", () => {
    const done = () => {
      copy.textContent = "Copied";
      setTimeout(() => (copy.textContent = "Copy"), 1500);
    };
    const select = () => {
      getSelection()?.selectAllChildren(pre);
      document.execCommand("copy");
      done();
    };
    if (navigator.clipboard) navigator.clipboard.writeText(text).then(done, select);
    else select();
  }, { class: "quiet", "aria-label": `Copy ${title.toLowerCase()}` });
  const details = h("details", { class: "source" }, h("summary", {}, title), h("div", { class: "code" }, pre, copy));
  details.open = open;
  return details;
}

function header(report: Report): HTMLElement {
  const about = [report.robot ? `robot ${report.robot.name}` : null, report.program, report.date].filter((part) => part);
  return h(
    "header",
    {},
    h("h1", {}, report.title),
    h("p", { class: "about" }, about.join(" · ")),
    report.command ? copied("Command line", report.command, true) : null,
    report.robot ? copied("Robot file", report.robot.text, false) : null,
  );
}

export function show(report: Report, page: HTMLElement): void {
  // What moves is one with all plots; without it every section is for itself.
  const moves = report.sections.some((section) => section.blocks.some((block) => block.kind === "animation"));
  const one = new Hub();
  page.append(header(report));
  for (const section of report.sections) {
    const hub = moves ? one : new Hub();
    const blocks = section.blocks.map((block) => render(block, hub));
    page.append(h("section", {}, h("h2", {}, section.title), h("div", { class: "blocks" }, ...blocks)));
  }
  page.append(h("footer", {}, `Made by ${report.program}. This file holds everything it shows and loads nothing else.`));

  const { clock } = one;
  const [low, high] = clock.ends;
  if (low < high) {
    document.body.classList.add("timed");
    document.body.append(transport(clock));
  }
  if (low <= high) clock.seek(low);
}
