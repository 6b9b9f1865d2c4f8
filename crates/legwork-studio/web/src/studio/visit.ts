/** The first visit: a robot that moves, and three things to try. */

import { bytes } from "../view/document";
import { button, h } from "../view/dom";
import type { TaskAnswer } from "./messages";
import type { Session } from "./session";
import type { Stage } from "./stage";

/** Places of the platform over time. */
interface Way {
  times: number[];
  places: number[][];
}

/** Moves the platform along its usual path until somebody takes it in hand. */
export class Walk {
  private way: Way | null = null;
  private start = 0;
  private heard: (() => void)[] = [];

  constructor(private readonly session: Session, private readonly stage: Stage | null) {
    session.onFrame(() => this.step());
    session.onRobot(() => this.stop());
  }

  get isWalking(): boolean {
    return this.way != null;
  }

  /** Called when it begins and when it ends. */
  onChange(act: () => void): void {
    this.heard.push(act);
  }

  async begin(): Promise<void> {
    const { robot } = this.session;
    const request = { task: "follow", back: true, controller: { regulators: ["model-shifted"] } };
    let answer: TaskAnswer;
    try {
      answer = await this.session.engine.run<TaskAnswer>({ ask: "task", request, recording: "csv" });
    } catch (error) {
      // A robot without masses has no motion of its own.
      return this.session.sayRefusal(error);
    }
    const file = answer.files.find((one) => one.name.endsWith(".csv"));
    if (this.session.robot !== robot || !file) return;
    const way = table(new TextDecoder().decode(bytes(file.base64)), robot.coordinates.map((one) => one.name));
    if (way.times.length < 2) return;
    this.way = way;
    this.start = performance.now();
    const places = ["x", "y", "z"].map((name) => robot.coordinates.findIndex((one) => one.name === name));
    this.stage?.path(way.places.map((place) => places.map((k, i) => (k < 0 ? robot.home.position[i]! : place[k]!)) as [number, number, number]));
    for (const act of this.heard) act();
    this.session.picture();
  }

  stop(): void {
    if (!this.way) return;
    this.way = null;
    this.stage?.path(null);
    for (const act of this.heard) act();
  }

  /** There and back in four seconds, or as slowly as it is. */
  private step(): void {
    const { way, session } = this;
    if (!way) return;
    const [first, last] = [way.times[0]!, way.times.at(-1)!];
    const slow = Math.max(1, 4 / (last - first));
    const time = first + (((performance.now() - this.start) / 1000 / slow) % (last - first));
    const next = way.times.findIndex((one) => one >= time);
    session.move({ values: way.places[Math.max(next, 0)]! }, null);
  }
}

/** Some columns of a recording as text; a coordinate that is not in it stays at zero. */
function table(text: string, names: string[]): Way {
  const [head, ...rows] = text.split("\n").filter((line) => line !== "" && !line.startsWith("#")).map((line) => line.split(","));
  const columns = names.map((name) => head!.indexOf(name));
  return { times: rows.map((row) => Number(row[0])), places: rows.map((row) => columns.map((k) => (k < 0 ? 0 : Number(row[k])))) };
}

/** Three things to try; gone for good when it is closed. */
export function welcome(tries: { title: string; text: string; act: () => void }[]): HTMLElement {
  const card = h("aside", { class: "welcome", "aria-label": "Three things to try" });
  const close = button("Got it", () => card.remove(), { class: "quiet" });
  const list = h("ol", {}, ...tries.map(({ title, text, act }) => {
    const one = h("button", { type: "button", class: "try" }, h("b", {}, title), h("span", {}, text));
    one.addEventListener("click", act);
    return h("li", {}, one);
  }));
  card.append(h("header", {}, h("h2", {}, "Three things to try"), close), list);
  return card;
}
