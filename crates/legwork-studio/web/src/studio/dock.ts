/** The place below the robot for what was computed: plots, tables, maps, and the bar of time. */

import { render } from "../view/blocks";
import { REFERENCE, switchOf } from "../view/animation";
import { Hub } from "../view/clock";
import type { Lines } from "../view/document";
import { button, during, h } from "../view/dom";
import { transport } from "../view/transport";
import { merge, type Named } from "./merge";
import type { Stage } from "./stage";

export class Dock {
  readonly element = h("section", { class: "dock", "aria-label": "Results", hidden: "" });
  private life = new AbortController();
  private opened: ((open: boolean) => void)[] = [];
  /** The time of what is shown. */
  hub = new Hub();

  constructor(private readonly stage: Stage | null, private readonly calm: () => boolean) {}

  onOpen(act: (open: boolean) => void): void {
    this.opened.push(act);
  }

  private fresh(title: string, ...tools: HTMLElement[]): HTMLElement {
    this.hub.clock.pause();
    this.life.abort();
    this.life = new AbortController();
    this.hub = new Hub();
    const body = h("div", { class: "dock-body", tabindex: "0", role: "region", "aria-label": title });
    const close = button("Close", () => this.close(), { class: "quiet", "aria-label": "Close the results" });
    this.element.replaceChildren(h("header", { class: "dock-head" }, h("h2", {}, title), ...tools, close), body);
    this.element.hidden = false;
    for (const act of this.opened) act(true);
    return body;
  }

  close(): void {
    this.hub.clock.pause();
    this.life.abort();
    this.stage?.play([]);
    this.element.replaceChildren();
    this.element.hidden = true;
    for (const act of this.opened) act(false);
  }

  /** Runs side by side: the robots in the picture above, the plots here. */
  runs(title: string, all: Named[], bands: (plot: Lines) => Lines["bands"]): void {
    const body = this.fresh(title);
    const { runs, references, sections } = merge(all);
    const { hub, stage } = this;
    during(this.life.signal, () => {
      for (const section of sections) {
        const blocks = section.blocks.map((block) => render(block.kind === "lines" ? { ...block, bands: block.bands ?? bands(block) } : block, hub));
        body.append(h("h3", { class: "dock-title" }, section.title), h("div", { class: "blocks" }, ...blocks));
      }
      stage?.play(runs, references);
      if (runs.length > 1 || references.length > 0) {
        const legend = h("div", { class: "legend", role: "group", "aria-label": "Runs" });
        if (references.length > 0) legend.append(switchOf(hub, REFERENCE, "--ink", (on) => stage?.hideReferences(!on)));
        runs.forEach((run, k) => legend.append(switchOf(hub, run.name, runs.length > 1 ? `--c${k % 7}` : "--arm", (on) => stage?.hide(k, !on))));
        body.prepend(legend);
      }
      const { clock } = hub;
      for (const [low, high] of stage?.spans ?? []) clock.include(low, high);
      const [low, high] = clock.ends;
      if (!(low < high)) return;
      clock.onMove(() => stage?.seek(clock.value ?? low));
      // A short run is slow at first: nobody sees a quarter of a second.
      clock.speed = high - low < 1 ? 0.1 : high - low < 2 ? 0.5 : 1;
      this.element.insertBefore(transport(clock, true), body);
      clock.seek(low);
      if (!this.calm()) clock.play();
    });
  }

  /** Anything else. */
  show(title: string, make: () => HTMLElement[], ...tools: HTMLElement[]): void {
    const body = this.fresh(title, ...tools);
    this.stage?.play([]);
    during(this.life.signal, () => body.append(...make()));
  }
}
