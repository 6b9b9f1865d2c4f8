/** Play, pause, scrub and speed: one bar at the foot of the page for everything that has time. */

import type { Clock } from "./clock";
import { button, h, onKey } from "./dom";

const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 4];
const STEPS = 10000;

/** With `steps` also one picture of a sixtieth of a second back and on. */
export function transport(clock: Clock, steps = false): HTMLElement {
  const [low, high] = clock.ends;
  const decimals = Math.min(6, Math.max(1, 3 - Math.floor(Math.log10(high - low))));
  const play = button("", () => clock.toggle(), { class: "play" });
  const scrub = h("input", { type: "range", min: "0", max: String(STEPS), step: "1", value: "0", "aria-label": "Time" });
  const time = h("output", { class: "time" });
  const speed = h("select", { "aria-label": "Speed" }, ...SPEEDS.map((s) => h("option", { value: String(s) }, `${s}×`)));
  speed.value = String(clock.speed);
  speed.addEventListener("change", () => clock.setSpeed(Number(speed.value)));
  scrub.addEventListener("input", () => {
    clock.pause();
    clock.seek(low + (Number(scrub.value) / STEPS) * (high - low));
  });
  const bar = h("div", { class: "transport", role: "group", "aria-label": "Time" }, play, scrub, time, speed);
  const step = (count: number) => {
    clock.pause();
    clock.seek((clock.value ?? low) + (count * clock.speed) / 60);
  };
  if (steps) {
    play.after(
      button("‹", () => step(-1), { class: "quiet", "aria-label": "One picture back", title: "One picture back (comma)" }),
      button("›", () => step(1), { class: "quiet", "aria-label": "One picture on", title: "One picture on (full stop)" }),
    );
  }
  const state = () => {
    play.dataset.state = clock.playing ? "playing" : "paused";
    play.setAttribute("aria-label", clock.playing ? "Pause" : "Play");
    play.title = clock.playing ? "Pause (space)" : "Play (space)";
  };
  const move = () => {
    const now = clock.value ?? low;
    scrub.value = String(Math.round(((now - low) / (high - low)) * STEPS));
    scrub.setAttribute("aria-valuetext", `${now.toFixed(decimals)} s`);
    time.textContent = `${now.toFixed(decimals)} s`;
    bar.dataset.time = String(now);
  };
  clock.onChange(state);
  clock.onMove(move);
  state();
  move();
  onKey((event) => {
    const on = event.target as HTMLElement;
    const act = { " ": () => clock.toggle(), ...(steps ? { ",": () => step(-1), ".": () => step(1) } : {}) }[event.key];
    if (!act || event.defaultPrevented || on.closest("button, input, select, textarea, summary, a")) return;
    event.preventDefault();
    act();
  });
  return bar;
}
