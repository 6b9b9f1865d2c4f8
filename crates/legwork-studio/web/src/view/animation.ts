/** The moving robots of a report: the picture, its views, its runs. */

import type { Hub } from "./clock";
import type { Animation } from "./document";
import { button, h, onTheme, onWidth } from "./dom";
import type { Side } from "./camera";
import { RobotView, meanings } from "./robot";

export function animation(block: Animation, hub: Hub): HTMLElement {
  const { clock } = hub;
  const stage = h("div", { class: "stage" });
  const figure = h("figure", { class: "card animation" }, stage);
  let view: RobotView;
  try {
    view = new RobotView(block.runs, block.references);
  } catch {
    stage.append(h("p", { class: "note" }, "This browser cannot draw in 3D: it has no WebGL."));
    return figure;
  }
  const { canvas } = view;
  canvas.tabIndex = 0;
  canvas.setAttribute("role", "img");
  canvas.setAttribute("aria-label", "The robot in 3D. Arrow keys turn the view, plus and minus zoom, space plays.");
  stage.append(canvas);

  const bar = h("div", { class: "views", role: "group", "aria-label": "View" });
  const sides: [string, Side][] = [["3D", "free"], ["Top", "top"], ["Front", "front"], ["Side", "side"]];
  for (const [name, side] of sides) bar.append(button(name, () => view.look(side), { class: "quiet" }));
  stage.append(bar);

  const wishes = (block.references ?? []).length > 0;
  if (block.runs.length > 1 || wishes) {
    const runs = h("div", { class: "legend", role: "group", "aria-label": "Runs" });
    if (wishes) runs.append(switchOf(hub, REFERENCE, "--ink", (on) => view.showReference(on)));
    block.runs.forEach((run, k) => {
      runs.append(switchOf(hub, run.name, block.runs.length > 1 ? `--c${k % 7}` : "--arm", (on) => view.show(k, on)));
    });
    figure.append(runs);
  }

  // Of several runs the colour tells which one it is, and the shape which part.
  const [first] = block.runs;
  if (first) {
    const parts = meanings(first, block.runs.length > 1).map(({ name, shape, tint }) => h("li", {}, h("i", { class: `mark ${shape}`, style: `--mark: var(${tint})` }), name));
    figure.append(h("ul", { class: "legend parts", "aria-label": "Parts of the robot" }, ...parts));
  }

  clock.include(...view.ends);
  clock.onMove(() => view.seek(clock.value ?? 0));
  onWidth(stage, (width) => view.resize(width, Math.round(Math.min(Math.max(0.56 * width, 280), 0.62 * innerHeight))));
  onTheme(() => view.repaint());
  canvas.addEventListener("keydown", (event) => {
    const act: Record<string, () => void> = {
      ArrowLeft: () => view.orbit(-0.1, 0),
      ArrowRight: () => view.orbit(0.1, 0),
      ArrowUp: () => view.orbit(0, 0.1),
      ArrowDown: () => view.orbit(0, -0.1),
      "+": () => view.orbit(0, 0, 1.15),
      "=": () => view.orbit(0, 0, 1.15),
      "-": () => view.orbit(0, 0, 1 / 1.15),
      " ": () => clock.toggle(),
    };
    if (act[event.key]) {
      event.preventDefault();
      act[event.key]!();
    }
  });
  return figure;
}

/** What the wish is called, here and in the plots. */
export const REFERENCE = "reference";

/** A button that hides a run and shows it again, in the picture and in the plots. */
export function switchOf(hub: Hub, name: string, tint: string, act: (on: boolean) => void): HTMLElement {
  const one = h("button", { type: "button", "aria-pressed": "true", title: "Hide or show this run, here and in the plots" }, h("i", { class: "mark", style: `--mark: var(${tint})` }), name);
  one.addEventListener("click", () => hub.toggle(name));
  hub.onRuns(() => {
    one.setAttribute("aria-pressed", String(hub.isShown(name)));
    act(hub.isShown(name));
  });
  return one;
}
