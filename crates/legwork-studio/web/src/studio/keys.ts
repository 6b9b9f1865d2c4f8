/** What keys do in the picture, and the list of all of them. */

import { button, h } from "../view/dom";
import type { Session } from "./session";
import type { Stage } from "./stage";

/** Keys on the picture: the platform, the view. */
export function keys(event: KeyboardEvent, session: Session, stage: Stage, hands: () => void): void {
  const { key, altKey, shiftKey } = event;
  if (event.ctrlKey || event.metaKey) return;
  const turn: Record<string, [number, number]> = { ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0], ArrowUp: [0, 0.1], ArrowDown: [0, -0.1] };
  const zoom: Record<string, number> = { "+": 1.15, "=": 1.15, "-": 1 / 1.15 };
  const steps: Record<string, [string[], number]> = {
    ArrowLeft: [["x"], -1], ArrowRight: [["x"], 1], ArrowUp: [["y"], 1], ArrowDown: [["y"], -1], PageUp: [["z"], 1], PageDown: [["z"], -1],
    w: [["roll"], 1], s: [["roll"], -1], d: [["pitch"], 1], a: [["pitch"], -1], q: [["yaw", "angle"], 1], e: [["yaw", "angle"], -1],
  };
  const step = steps[key.length === 1 ? key.toLowerCase() : key];
  if (altKey && turn[key]) stage.orbit(...turn[key]!);
  else if (zoom[key]) stage.orbit(0, 0, zoom[key]!);
  else if (step && !altKey) {
    const k = session.robot.coordinates.findIndex((one) => one.is_free && step[0].includes(one.name));
    if (k < 0) return;
    hands();
    const one = session.robot.coordinates[k]!;
    const size = ((one.to - one.from) / 100) * (shiftKey ? 0.1 : 1) * step[1];
    session.move({ values: session.state.values.with(k, session.state.values[k]! + size) }, event.timeStamp);
  } else return;
  event.preventDefault();
}

const LIST: [string, [string, string][]][] = [
  ["In the picture (press Tab until it has a frame)", [
    ["← → ↑ ↓, page up, page down", "move the platform along x, y and z"],
    ["A D, W S, Q E", "turn the platform: pitch, roll, yaw"],
    ["with Shift", "the same in steps of a tenth"],
    ["Alt and ← → ↑ ↓", "turn the view"],
    ["+ −", "come nearer, go away"],
  ]],
  ["Everywhere", [
    ["R", "pick a robot"],
    ["H", "go home"],
    ["Ctrl Z, Ctrl Shift Z", "undo and redo a change of the robot"],
    ["Ctrl S", "save the robot file"],
    ["?", "this list"],
  ]],
  ["While a run is shown", [
    ["Space", "play and pause"],
    [", .", "one picture back, one on"],
    ["← → on the slider of time", "back and on"],
  ]],
  ["On a map and in a plot", [
    ["← → ↑ ↓", "move the probe"],
    ["Enter", "on a map: take the robot there"],
    ["+ − 0", "in a plot: zoom in, out, and back"],
  ]],
];

export function keysDialog(): HTMLDialogElement {
  const close = button("Close", () => dialog.close(), { class: "quiet" });
  const parts = LIST.map(([title, rows]) => [h("h3", {}, title), h("dl", { class: "key-list" }, ...rows.flatMap(([key, does]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, does)]))]);
  const dialog = h("dialog", { class: "sheet-dialog", "aria-label": "Keys" }, h("header", {}, h("h2", {}, "Keys"), close), h("div", { class: "equations" }, ...parts.flat()));
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  document.body.append(dialog);
  return dialog;
}
