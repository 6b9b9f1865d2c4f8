/** What the page is about: one robot, one pose, what was before it. Everything that shows something listens here. */

import { Engine, Refusal, type Call } from "./engine";
import type { EditableNumber, Failure, Motor, Pose, RobotRequest, RobotSheet, StateAsk, StatePart, StateSheet } from "./messages";

/** Where the platform should be: coordinates, or a pose that is turned, or motors. */
export type Wish = { values: number[]; twist?: number[]; acceleration?: number[] } | { pose: Pose; turn?: [number, number, number] } | { q: number[] };

/** How the platform moves there; the same for every pose. */
export interface Movement {
  twist: number[] | null;
  acceleration: number[] | null;
}

/** What is shown of every state: all but the long text. */
const PARTS: StatePart[] = ["text", "ellipsoids", "poles"];

/** A robot as it can be opened again. */
interface Version {
  text: string;
  /** A built-in robot as it comes. */
  name: string | null;
  /** What its file is called, without an ending. */
  file: string;
  mode: string | null;
  payload: string | null;
  /** Which opening it came from: versions of one opening differ by edits. */
  opening: number;
}

export class Session {
  robot!: RobotSheet;
  state!: StateSheet;
  movement: Movement = { twist: null, acceleration: null };
  /** What a link, a worker and a way back need. */
  version!: Version;
  /** When the event came that the next picture answers [ms]; `null` if nobody waits. */
  asked: number | null = null;
  /** Where the platform should be and cannot be [m]; `null` while it is where it should be. */
  sought: [number, number, number] | null = null;
  /** Whether the robot that is told of is the one before, with another number. */
  isEdit = false;
  private openings = 0;
  private wish: Wish | null = null;
  private before: Version[] = [];
  private after: Version[] = [];
  private robots: (() => void)[] = [];
  private states: (() => void)[] = [];
  private words: ((text: string, kind: "note" | "fault") => void)[] = [];
  private frames: (() => void)[] = [];
  private waiting = false;

  constructor(readonly engine: Engine) {}

  onRobot(act: () => void): void {
    this.robots.push(act);
  }

  /** Also called after a new robot. */
  onState(act: () => void): void {
    this.states.push(act);
  }

  onWords(act: (text: string, kind: "note" | "fault") => void): void {
    this.words.push(act);
  }

  /** Called at the end of a picture: what draws. */
  onFrame(act: () => void): void {
    this.frames.push(act);
  }

  say(text: string, kind: "note" | "fault" = "note"): void {
    for (const act of this.words) act(text, kind);
  }

  /** Says what was refused; other errors are faults of the page and go on. */
  sayRefusal(error: unknown): void {
    if (!(error instanceof Refusal)) throw error;
    this.say(inWords(error.failure), "fault");
  }

  get canUndo(): boolean {
    return this.before.length > 0;
  }

  get canRedo(): boolean {
    return this.after.length > 0;
  }

  /** Opens a robot by name or from a file; throws the library's refusal. */
  open(source: { name: string; text?: string }): void {
    const robot = this.engine.ask({ ask: "open", ...source });
    this.remember();
    this.take(robot, { text: robot.text, name: source.text == null ? source.name : null, file: source.name, mode: null, payload: null, opening: ++this.openings }, null);
  }

  /** Changes a number of the file; throws the library's refusal, and then nothing has changed. */
  edit(number: EditableNumber, value: string, goesOn = false): void {
    const robot = this.engine.ask({ ask: "edit", path: number.path, value });
    // A whole pull at a slider is one step back.
    if (!goesOn) this.remember();
    this.take(robot, { ...this.version, text: robot.text, name: null }, this.state.values);
  }

  /** Another way to stand, or something on the platform. */
  vary(what: { mode?: string | null; payload?: string | null }): void {
    const next = { ...this.version, ...what };
    const robot = this.engine.ask({ ask: "vary", ...(next.mode ? { working_mode: next.mode } : {}), ...(next.payload ? { payload: next.payload } : {}) });
    this.remember();
    this.take(robot, next, this.state.values);
  }

  undo(): void {
    this.go(this.before, this.after);
  }

  redo(): void {
    this.go(this.after, this.before);
  }

  /** Opens a version with its pose, as a link has it. */
  restore(place: Omit<Version, "opening">, values: number[] | null): void {
    const version = { ...place, opening: ++this.openings };
    const robot = this.engine.ask(opening(version));
    this.take(robot, { ...version, text: robot.text }, values);
  }

  private go(from: Version[], to: Version[]): void {
    const version = from.pop();
    if (!version) return;
    to.push(this.version);
    this.take(this.engine.ask(opening(version)), version, this.state.values);
  }

  private remember(): void {
    if (this.version) this.before.push(this.version);
    if (this.before.length > 200) this.before.shift();
    this.after = [];
  }

  private take(robot: RobotSheet, version: Version, values: number[] | null): void {
    this.isEdit = version.opening === this.version?.opening;
    const other = !this.robot || robot.coordinates.map((one) => one.name).join() !== this.robot.coordinates.map((one) => one.name).join();
    if (other) this.movement = { twist: null, acceleration: null };
    this.robot = robot;
    this.version = version;
    this.wish = null;
    this.sought = null;
    this.engine.keep(opening(version));
    const place = values && !other ? { values } : {};
    this.state = this.engine.ask({ ask: "state", ...place, ...this.moving(), parts: this.parts });
    for (const act of this.robots) act();
    for (const act of this.states) act();
    this.picture();
  }

  /** Without masses there is no table of torques, and the long text is shown. */
  private get parts(): StatePart[] {
    return this.robot.has_masses ? PARTS : [...PARTS, "report"];
  }

  private moving(): { twist?: number[]; acceleration?: number[] } {
    const { twist, acceleration } = this.movement;
    return { ...(twist ? { twist } : {}), ...(acceleration ? { acceleration } : {}) };
  }

  /** Where the platform should be by the next picture; of several wishes the last one counts. */
  move(wish: Wish, since: number | null = performance.now()): void {
    this.wish = wish;
    this.asked ??= since;
    this.picture();
  }

  /** The same pose again, because something else has changed. */
  again(): void {
    this.move({ values: this.state.values }, null);
  }

  /** The robot as a request names it, so that it can be run again after others were opened. */
  get robotOfRequest(): RobotRequest {
    const { name, text, file, mode, payload } = this.version;
    return { name: file, ...(name ? {} : { text }), ...(mode ? { working_mode: mode } : {}), ...(payload ? { payload } : {}) };
  }

  /** What is asked of the library for the present state; for commands. */
  get question(): StateAsk {
    return { values: this.state.values, ...this.moving() };
  }

  /** Asks for a picture. */
  picture(): void {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      this.answer();
      for (const act of this.frames) act();
    });
  }

  private answer(): void {
    const wish = this.wish;
    if (!wish) return;
    this.wish = null;
    const from = this.state.values;
    try {
      this.state = this.engine.ask("q" in wish ? { ask: "joints", q: wish.q, from, parts: this.parts } : { ask: "state", ...wish, from, ...this.moving(), parts: this.parts });
    } catch (error) {
      this.sayRefusal(error);
      return;
    }
    this.sought = this.state.refused ? this.place(wish) : null;
    for (const act of this.states) act();
  }

  /** The place of a wish; motors have none. */
  private place(wish: Wish): [number, number, number] | null {
    if ("q" in wish) return null;
    if ("pose" in wish) return wish.pose.position as [number, number, number];
    const at = (name: string, k: number) => wish.values[this.robot.coordinates.findIndex((one) => one.name === name)] ?? this.state.pose.position[k]!;
    return [at("x", 0), at("y", 1), at("z", 2)];
  }
}

/** What opens a version. */
function opening({ name, text, file, mode, payload }: Version): Call<"open"> {
  return { ask: "open", name: file, ...(name ? {} : { text }), ...(mode ? { working_mode: mode } : {}), ...(payload ? { payload } : {}) };
}

/** A failure in one paragraph. */
export function inWords(failure: Failure): string {
  return [failure.what, failure.cause, failure.hint].filter((part) => part != null && part !== "").map((part) => sentence(part!)).join(" ");
}

/** Words as a sentence of their own. */
export function sentence(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1) + (/[.!?:]$/.test(words) ? "" : ".");
}

/** The span of a motor's bar. */
export function span(motor: Motor): [number, number] {
  return [motor.min ?? motor.from, motor.max ?? motor.to];
}
