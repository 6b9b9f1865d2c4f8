/** What plots and moving robots share: a place on an axis and a part of it. The clock is the one of time, and it runs. */

export class Shared {
  /** Where on the axis; `null` before anyone pointed at it. */
  value: number | null = null;
  /** The part that is shown; `null` is all. */
  range: [number, number] | null = null;
  /** From end to end of all data. */
  ends: [number, number] = [Infinity, -Infinity];
  private moved: (() => void)[] = [];
  private zoomed: (() => void)[] = [];

  /** Makes room for data. */
  include(low: number, high: number): void {
    if (low <= high) this.ends = [Math.min(this.ends[0], low), Math.max(this.ends[1], high)];
  }

  onMove(act: () => void): void {
    this.moved.push(act);
  }

  onZoom(act: () => void): void {
    this.zoomed.push(act);
  }

  seek(value: number): void {
    const [low, high] = this.ends;
    if (!(low <= high) || Number.isNaN(value)) return;
    this.value = Math.min(Math.max(value, low), high);
    for (const act of this.moved) act();
  }

  zoom(range: [number, number] | null): void {
    this.range = range && range[1] > range[0] ? range : null;
    for (const act of this.zoomed) act();
  }

  /** The part that is shown. */
  get shown(): [number, number] {
    return this.range ?? this.ends;
  }

  /** Twice as close, or half, about the present place. */
  magnify(factor: number): void {
    const [low, high] = this.shown;
    const about = this.value ?? (low + high) / 2;
    const next: [number, number] = [about - (about - low) / factor, about + (high - about) / factor];
    const whole = next[0] <= this.ends[0] && next[1] >= this.ends[1];
    this.zoom(whole ? null : [Math.max(next[0], this.ends[0]), Math.min(next[1], this.ends[1])]);
  }
}

export class Clock extends Shared {
  playing = false;
  /** Seconds of the run in a second of the reader. */
  speed = 1;
  private changed: (() => void)[] = [];
  private before = 0;

  /** Called when it starts, stops or changes its speed. */
  onChange(act: () => void): void {
    this.changed.push(act);
  }

  setSpeed(speed: number): void {
    this.speed = speed;
    for (const act of this.changed) act();
  }

  play(): void {
    const [low, high] = this.ends;
    if (this.playing || !(low < high)) return;
    if (this.value == null || this.value >= high) this.seek(low);
    this.playing = true;
    this.before = performance.now();
    for (const act of this.changed) act();
    requestAnimationFrame((now) => this.tick(now));
  }

  pause(): void {
    if (!this.playing) return;
    this.playing = false;
    for (const act of this.changed) act();
  }

  toggle(): void {
    if (this.playing) this.pause();
    else this.play();
  }

  private tick(now: number): void {
    if (!this.playing) return;
    const step = (Math.max(0, now - this.before) / 1000) * this.speed;
    this.before = now;
    const next = (this.value ?? this.ends[0]) + step;
    this.seek(next);
    if (next >= this.ends[1]) this.pause();
    else requestAnimationFrame((later) => this.tick(later));
  }
}

/** One place for each axis that plots have in common, and which of several runs are shown. */
export class Hub {
  readonly clock = new Clock();
  private hidden = new Set<string>();
  private switched: (() => void)[] = [];
  private others = new Map<string, Shared>();

  of(name: string, unit: string): Shared {
    if (unit === "s") return this.clock;
    const key = `${name} ${unit}`;
    const found = this.others.get(key) ?? new Shared();
    this.others.set(key, found);
    return found;
  }

  isShown(run: string | null): boolean {
    return run == null || !this.hidden.has(run);
  }

  /** Hides a run everywhere, or shows it again. */
  toggle(run: string): void {
    if (!this.hidden.delete(run)) this.hidden.add(run);
    for (const act of this.switched) act();
  }

  onRuns(act: () => void): void {
    this.switched.push(act);
  }
}
