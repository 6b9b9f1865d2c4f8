/** The library as WebAssembly: one instance here for what must be there in the next picture, others in workers for what
 * takes longer. A worker that traps or is stopped is replaced, and nothing but its task is lost. */

import { XzReadableStream } from "xz-decompress";
import type { Answers, Failure, Message } from "./messages";

/** What the module offers. */
interface Exports {
  memory: WebAssembly.Memory;
  alloc(bytes: number): number;
  call(): void;
  answer(): number;
  answer_length(): number;
}

type Answer<T> = { ok: T } | { error: Failure };

/** A question of the library; its types are those of Rust. */
export type Call<A extends keyof Answers = keyof Answers> = Extract<Message, { ask: A }>;

/** What the library refused, in its own words. */
export class Refusal extends Error {
  constructor(readonly failure: Failure) {
    super(failure.what);
  }
}

/** Calls one instance of the module, and after a trap another one. It stands alone, because its text is also that of the
 * workers. */
function caller(fresh: () => WebAssembly.Instance): (text: string) => { answer: string; trapped: boolean } {
  let exports = fresh().exports as unknown as Exports;
  const [encoder, decoder] = [new TextEncoder(), new TextDecoder()];
  return (text) => {
    const bytes = encoder.encode(text);
    const read = () => decoder.decode(new Uint8Array(exports.memory.buffer, exports.answer(), exports.answer_length()));
    try {
      const at = exports.alloc(bytes.length);
      new Uint8Array(exports.memory.buffer, at, bytes.length).set(bytes);
      exports.call();
      return { answer: read(), trapped: false };
    } catch (error) {
      // After a trap the instance is not to be trusted; what it says of the reason may be read.
      let what = error instanceof Error ? error.message : String(error);
      try {
        const said = JSON.parse(read()) as { error?: { what: string } };
        if (said.error) what = said.error.what;
      } catch {
        // It says nothing.
      }
      exports = fresh().exports as unknown as Exports;
      return { answer: JSON.stringify({ error: { kind: "panic", what: `the library failed in this task: ${what}`, cause: null, hint: "nothing else is lost; change what you asked for and try again", field: null, problems: [] } }), trapped: true };
    }
  };
}

/** What a worker says: how far it has come, or its answer. */
type Said = { done: number } | { answer: string; trapped: boolean };

/** What a worker does: it takes the module, then texts. */
function worker(make: typeof caller): void {
  let call: ReturnType<typeof caller> | null = null;
  // Not more often than a person looks.
  let last = 0;
  const progress = (done: number): void => {
    const now = performance.now();
    if (now < last + 100) return;
    last = now;
    postMessage({ done });
  };
  const page = { progress };
  onmessage = (event: MessageEvent<{ module?: WebAssembly.Module; opening?: string; text?: string }>) => {
    const { module, opening, text } = event.data;
    if (module) call = make(() => new WebAssembly.Instance(module, { page }));
    if (opening) call!(opening);
    if (text != null) postMessage(call!(text));
  };
}

/** What the module imports; here every call is short, and nobody listens. */
const SILENT = { page: { progress: () => {} } };

function result<T>(text: string): T {
  const answer = JSON.parse(text) as Answer<T>;
  if ("error" in answer) throw new Refusal(answer.error);
  return answer.ok;
}

/** The module out of the page. */
export async function moduleOfPage(): Promise<WebAssembly.Module> {
  const packed = document.getElementById("wasm")?.textContent?.trim();
  if (!packed) throw new Error("This page was built without the library: its WebAssembly is missing.");
  const library = await new Response(unpack(packed)).arrayBuffer();
  document.getElementById("wasm")!.remove();
  return WebAssembly.compile(library);
}

/** Five letters are four bytes, as ci/assemble.mjs has written them; zeros at the end are no part of the stream. */
function unpack(letters: string): ReadableStream {
  const bytes = new DataView(new ArrayBuffer((letters.length / 5) * 4));
  for (let from = 0, to = 0; from < letters.length; from += 5, to += 4) {
    let four = 0;
    for (let k = from; k < from + 5; k++) {
      const letter = letters.charCodeAt(k);
      four = four * 85 + (letter === 126 ? 60 : letter) - 40;
    }
    bytes.setUint32(to, four);
  }
  return new XzReadableStream(new Blob([bytes.buffer]).stream());
}

interface Job {
  text: string;
  /** Whether the worker has another robot after it. */
  spoils: boolean;
  /** Told how far it has come, from 0 to 1. */
  progress: (done: number) => void;
  done: (text: string) => void;
  stopped: (reason: Refusal) => void;
}

function stopped(what: string): Refusal {
  return new Refusal({ kind: "panic", what, cause: null, hint: null, field: null, problems: [] });
}

/** How many instances are ready here. The main thread may make large ones only while it waits for nothing. */
const READY = 2;

export class Engine {
  private call: ReturnType<typeof caller>;
  /** What makes an instance know the robot; sent to new instances and workers. */
  private opening: string | undefined;
  private url: string;
  private idle: Worker[] = [];
  private busy = new Map<Worker, Job>();
  private waiting: Job[] = [];
  private readonly most = Math.max(1, Math.min(navigator.hardwareConcurrency || 2, 8));
  private heard: (() => void)[] = [];
  /** Traps so far, for the page to say. */
  traps = 0;

  static async of(module: WebAssembly.Module): Promise<Engine> {
    return new Engine(module, await Promise.all(Array.from({ length: READY }, () => WebAssembly.instantiate(module, SILENT))));
  }

  private constructor(private readonly module: WebAssembly.Module, ready: WebAssembly.Instance[]) {
    this.call = caller(() => {
      void WebAssembly.instantiate(module, SILENT).then((one) => ready.push(one));
      return ready.shift()!;
    });
    const source = `(${worker.toString()})(${caller.toString()})`;
    this.url = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
  }

  /** Asks here and waits; for what takes less than a picture. */
  ask<A extends keyof Answers>(call: Call<A>): Answers[A] {
    const { answer, trapped } = this.call(JSON.stringify(call));
    if (trapped) {
      this.traps++;
      if (this.opening) this.call(this.opening);
    }
    return result<Answers[A]>(answer);
  }

  /** From now on every instance has this robot. */
  keep(call: Call): void {
    this.opening = JSON.stringify(call);
    for (const one of this.idle) one.postMessage({ opening: this.opening });
    // Those that compute now have the old robot: they are renewed when they are done.
    for (const one of this.busy.keys()) this.old.add(one);
  }

  private old = new Set<Worker>();

  get workers(): number {
    return this.most;
  }

  /** How many tasks run or wait. */
  get load(): number {
    return this.busy.size + this.waiting.length;
  }

  onLoad(act: () => void): void {
    this.heard.push(act);
  }

  /** Asks a worker. The signal stops it. */
  async run<A extends keyof Answers>(call: Call<A>, signal?: AbortSignal, progress: (done: number) => void = () => {}): Promise<Answers[A]> {
    const text = await new Promise<string>((done, failed) => {
      const job: Job = { text: JSON.stringify(call), spoils: call.ask === "open", progress, done, stopped: failed };
      if (signal?.aborted) return failed(stopped("Stopped."));
      signal?.addEventListener("abort", () => this.cancel(job, "Stopped."), { once: true });
      this.waiting.push(job);
      this.next();
    });
    return result<Answers[A]>(text);
  }

  private next(): void {
    while (this.waiting.length > 0 && (this.idle.length > 0 || this.busy.size < this.most)) {
      const job = this.waiting.shift()!;
      const one = this.idle.pop() ?? this.start();
      this.busy.set(one, job);
      one.postMessage({ text: job.text });
    }
    for (const act of this.heard) act();
  }

  private start(): Worker {
    const one = new Worker(this.url);
    one.onmessage = (event: MessageEvent<Said>) => {
      const job = this.busy.get(one);
      if (!job) return;
      if ("done" in event.data) return job.progress(event.data.done);
      this.busy.delete(one);
      const { answer, trapped } = event.data;
      if (trapped) {
        this.traps++;
        one.terminate();
      } else {
        if (this.old.delete(one) || job.spoils) one.postMessage({ opening: this.opening });
        this.idle.push(one);
      }
      job.done(answer);
      this.next();
    };
    one.onerror = (event) => {
      event.preventDefault();
      const job = this.busy.get(one);
      if (job) this.drop(one, job, `The worker stopped: ${event.message || "no reason was given"}.`);
    };
    one.postMessage({ module: this.module, opening: this.opening });
    return one;
  }

  private cancel(job: Job, why: string): void {
    const place = this.waiting.indexOf(job);
    if (place >= 0) {
      this.waiting.splice(place, 1);
      job.stopped(stopped(why));
      return;
    }
    for (const [one, its] of this.busy) if (its === job) this.drop(one, job, why);
  }

  private drop(one: Worker, job: Job, why: string): void {
    one.terminate();
    this.busy.delete(one);
    this.old.delete(one);
    job.stopped(stopped(why));
    this.next();
  }
}
