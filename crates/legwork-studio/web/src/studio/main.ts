/** The studio: a parallel robot in a page, without a server. The library runs in it; this is only what is seen and touched. */

import { show } from "../report/page";
import type { Report } from "../view/document";
import { button, h } from "../view/dom";
import type { Side } from "../view/camera";
import { Dock } from "./dock";
import { EditPanel } from "./edit";
import { Engine, Refusal, moduleOfPage } from "./engine";
import { equations } from "./equation";
import { keys, keysDialog } from "./keys";
import { pack, unpack, type Place } from "./link";
import { MotionPanel } from "./motion";
import { picker } from "./picker";
import { PosePanel } from "./pose";
import { Session, inWords, sentence } from "./session";
import { SpacePanel } from "./space";
import { Stage } from "./stage";
import { TakePanel } from "./take";
import { save, tabs } from "./ui";
import { Walk, welcome } from "./visit";

const FIRST = "delta-direct-drive";
/** Largest file that is read [bytes]. */
const LARGEST = 4_000_000;
const page = document.getElementById("studio")!;
const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** What was dropped or put into the page by the program. */
function given(): Place | null {
  const text = document.getElementById("settings")?.textContent?.trim();
  if (!text) return null;
  const robot = (JSON.parse(text) as { robot?: { name?: string; text?: string } | null }).robot;
  if (!robot || (robot.name == null && robot.text == null)) return null;
  return { name: robot.name ?? null, text: robot.text ?? null, mode: null, payload: null, values: null, sight: null, tab: 0 };
}

async function start(): Promise<void> {
  const begun = performance.now();
  const session = new Session(await Engine.of(await moduleOfPage()));
  const { engine } = session;
  let stage: Stage | null = null;
  try {
    stage = new Stage(session);
  } catch {
    // Without WebGL the numbers are still there.
  }
  const explain = equations(session);
  const dock = new Dock(stage, calm);
  const walk = new Walk(session, stage);
  /** Somebody takes the robot in hand: what plays stops. */
  const hands = () => {
    walk.stop();
    if (stage && stage.spans.length > 0) dock.close();
  };
  stage?.onGrab(hands);

  const choices = engine.ask({ ask: "choices" });
  const pose = new PosePanel(session, stage, explain, hands);
  const edit = new EditPanel(session);
  const motion = new MotionPanel(session, dock, choices);
  const space = new SpacePanel(session, stage, dock, () => walk.stop());
  const link = async () => {
    const { version, state } = session;
    const place: Place = { name: version.file, text: version.name ? null : version.text, mode: version.mode, payload: version.payload, values: state.values, sight: stage?.sight ?? null, tab };
    try {
      history.replaceState(null, "", `#${await pack(place)}`);
    } catch {
      // Inside a notebook the page has no address.
      return null;
    }
    return location.href;
  };
  /** Puts the link into the clipboard, if that may be, and says where it is. */
  const copyLink = async () => {
    const href = await link();
    if (href == null) return say("This page has no address of its own: save it as a file, and open that.", "fault");
    try {
      await navigator.clipboard.writeText(href);
      say("The link is in the clipboard and in the address.", "note");
    } catch {
      say("The link is in the address of this page.", "note");
    }
  };
  const take = new TakePanel(session, motion, space, () => void copyLink());
  let tab = 0;
  const panels = [pose.element, edit.element, motion.element, space.element, take.element];
  const names = ["Pose", "Robot", "Motion", "Workspace", "Take away"];
  const heading = h("h2", { class: "unseen" });
  const { bar, select } = tabs(names, panels, (k) => {
    tab = k;
    heading.textContent = names[k]!;
    if (k === 4 && session.robot) take.show();
  });

  // What is said: refused poses, files, traps.
  const banner = h("div", { class: "banner", role: "status", "aria-live": "polite", hidden: "" });
  let fade = 0;
  const say = (text: string, kind: "note" | "fault") => {
    banner.textContent = text;
    banner.className = `banner ${kind}`;
    banner.hidden = false;
    clearTimeout(fade);
    fade = window.setTimeout(() => (banner.hidden = true), kind === "fault" ? 12_000 : 4_000);
  };
  session.onWords(say);

  // The file.
  const chooser = h("input", { type: "file", accept: ".toml,.txt", hidden: "", "aria-label": "Robot file" });
  const problems = h("dialog", { class: "sheet-dialog", "aria-label": "Problems of the file" });
  document.body.append(problems);
  const reading = h("div", { class: "banner reading", role: "status", hidden: "" });
  const refuse = (error: unknown) => {
    if (!(error instanceof Refusal)) throw error;
    const { failure } = error;
    problems.replaceChildren(
      h("header", {}, h("h2", {}, "This file is not opened"), button("Close", () => problems.close(), { class: "quiet" })),
      h("div", { class: "equations" }, h("p", {}, inWords(failure)), ...EditPanel.listed(failure.problems), h("p", { class: "hint" }, "The robot before it is still open.")),
    );
    problems.showModal();
  };
  const read = async (file: File | undefined) => {
    if (!file) return;
    if (file.size > LARGEST) return say(`${file.name} has ${(file.size / 1e6).toFixed(1)} MB; a robot file has ${LARGEST / 1e6} MB at most.`, "fault");
    const text = await file.text();
    hands();
    // A worker reads it first: whatever is in it, the page lives.
    const stop = new AbortController();
    reading.replaceChildren(h("span", { class: "spin" }), h("span", {}, `Reading ${file.name}`), button("Stop", () => stop.abort(), { class: "quiet" }));
    reading.hidden = false;
    try {
      const name = file.name.replace(/\.[^.]*$/, "");
      await engine.run({ ask: "open", name, text }, stop.signal);
      session.open({ name, text });
    } catch (error) {
      refuse(error);
    } finally {
      reading.hidden = true;
    }
  };
  chooser.addEventListener("change", () => {
    void read(chooser.files?.[0]);
    chooser.value = "";
  });
  addEventListener("dragover", (event) => {
    event.preventDefault();
    page.classList.add("dropping");
  });
  addEventListener("dragleave", (event) => {
    if (!event.relatedTarget) page.classList.remove("dropping");
  });
  addEventListener("drop", (event) => {
    event.preventDefault();
    page.classList.remove("dropping");
    void read(event.dataTransfer?.files[0]);
  });

  // The head.
  const pick = picker(() => engine.run({ ask: "robots" }), (name) => {
    hands();
    try {
      session.open({ name });
    } catch (error) {
      refuse(error);
    }
  }, () => chooser.click());
  const name = h("span", { class: "robot-name" });
  const family = h("span", { class: "unit" });
  const robot = button("", () => pick.open(), { class: "robot-pick", "aria-haspopup": "dialog", title: "Pick a robot (R)" });
  robot.append(name, family);
  const help = keysDialog();
  const undo = button("Undo", () => session.undo(), { title: "Undo (Ctrl Z)" });
  const redo = button("Redo", () => session.redo(), { title: "Redo (Ctrl Shift Z)" });
  const store = () => save(`${session.version.file}.toml`, session.robot.text, "application/toml");
  document.addEventListener("studio-save", store);
  const head = h(
    "header",
    { class: "head" },
    h("h1", {}, "legwork", h("span", {}, "studio")),
    robot,
    h("div", { class: "head-acts" }, undo, redo, button("Save", store, { title: "Save the robot file (Ctrl S)" }), button("Link", () => void copyLink(), { title: "A link that carries robot, pose and view" }), button("Keys", () => help.showModal(), { class: "keys", title: "What the keys do (?)" })),
    chooser,
  );
  session.onRobot(() => {
    name.textContent = session.robot.name + (session.version.name ? "" : " *");
    family.textContent = session.robot.family;
    document.title = `${session.robot.name} · legwork studio`;
    undo.disabled = !session.canUndo;
    redo.disabled = !session.canRedo;
    if (tab === 4) take.show();
  });
  session.onState(() => {
    const { refused } = session.state;
    page.classList.toggle("refused", refused != null);
    reach.hidden = refused == null;
    if (refused) reach.replaceChildren(h("b", {}, "Out of reach. "), `${sentence(refused.what.replace(/^out of reach: /, ""))} Shown is the last place in reach on the way there: ${session.state.place}.`);
  });

  // The picture and what lies on it.
  const reach = h("p", { class: "reach", role: "status", hidden: "" });
  const cost = h("output", { class: "cost", title: "From the event to the finished picture: the middle of the last 60" });
  const view = h("div", { class: "view" });
  const stand = h("div", { class: "stage", "data-ready": "false" }, view, reach, banner, reading);
  const views = h("div", { class: "views", role: "group", "aria-label": "View" });
  const sides: [string, Side][] = [["3D", "free"], ["Top", "top"], ["Front", "front"], ["Side", "side"]];
  for (const [text, side] of sides) views.append(button(text, () => stage?.look(side), { class: "quiet" }));
  const walking = button("Play path", () => {
    if (walk.isWalking) return walk.stop();
    dock.close();
    void walk.begin();
  }, { class: "quiet", title: "The usual path of this robot, with its torques" });
  views.append(walking);
  walk.onChange(() => (walking.textContent = walk.isWalking ? "Stop" : "Play path"));
  stand.append(views, cost);
  const main = h("main", {}, h("div", { class: "left" }, stand, dock.element), h("div", { class: "side" }, bar, h("div", { class: "panels" }, heading, ...panels)));
  page.replaceChildren(head, main);
  dock.onOpen((open) => {
    page.classList.toggle("docked", open);
    if (!open) return;
    walk.stop();
    stand.querySelector(".welcome")?.remove();
    // On a narrow screen the results are below the form.
    if (matchMedia("(max-width: 52rem)").matches) requestAnimationFrame(() => dock.element.scrollIntoView({ block: "start" }));
  });

  if (stage) {
    const { canvas } = stage;
    canvas.tabIndex = 0;
    canvas.setAttribute("role", "application");
    canvas.setAttribute("aria-label", "The robot in 3D. Arrow keys and page up and down move the platform, W S A D Q E turn it, with shift in small steps. Alt and arrows turn the view, plus and minus zoom.");
    view.append(canvas);
    new ResizeObserver(() => stage.resize(Math.max(view.clientWidth, 1), Math.max(view.clientHeight, 1))).observe(view);
    canvas.addEventListener("keydown", (event) => keys(event, session, stage, hands));
  } else {
    view.append(h("p", { class: "note" }, "This browser cannot draw in 3D: it has no WebGL. The numbers are all here."));
  }

  // From the event to the picture.
  const costs: number[] = [];
  session.onFrame(() => {
    if (session.asked == null) return;
    const now = performance.now() - session.asked;
    session.asked = null;
    costs.push(now);
    if (costs.length > 60) costs.shift();
    const sorted = [...costs].sort((a, b) => a - b);
    const middle = sorted[sorted.length >> 1]!;
    cost.textContent = `drag to picture ${middle.toFixed(1)} ms`;
    cost.dataset.middle = String(middle);
    cost.dataset.last = String(now);
  });

  addEventListener("keydown", (event) => {
    const on = event.target as HTMLElement;
    const typing = on.closest("input[type=text], input[type=search], textarea");
    const key = event.key.toLowerCase();
    if ((event.ctrlKey || event.metaKey) && key === "z" && !typing) {
      event.preventDefault();
      if (event.shiftKey) session.redo();
      else session.undo();
    } else if ((event.ctrlKey || event.metaKey) && key === "y" && !typing) {
      event.preventDefault();
      session.redo();
    } else if ((event.ctrlKey || event.metaKey) && key === "s") {
      event.preventDefault();
      store();
    } else if (!event.ctrlKey && !event.metaKey && !event.altKey && !typing && on.closest("select, dialog") == null) {
      if (key === "r") {
        event.preventDefault();
        pick.open();
      }
      if (key === "?") help.showModal();
      if (key === "h") {
        hands();
        session.move({ values: session.robot.home_values });
      }
    }
  });

  const goTo = async (place: Place | null) => {
    if (!place) return false;
    try {
      const file = place.name ?? "robot";
      session.restore({ name: place.text == null ? file : null, file, text: place.text ?? "", mode: place.mode, payload: place.payload }, null);
      if (place.values?.length === session.robot.coordinates.length) session.move({ values: place.values });
      if (place.sight && stage) stage.sight = place.sight;
      select(Math.min(Math.max(place.tab, 0), 4));
      return true;
    } catch (error) {
      session.sayRefusal(error);
      return false;
    }
  };
  select(0);
  const came = location.hash.length > 1 ? await unpack(location.hash) : given();
  if (location.hash.length > 1 && !came) say("The part of the address after # is no link of the studio.", "fault");
  addEventListener("hashchange", () => void unpack(location.hash).then((place) => {
    if (place) void goTo(place);
    else say("The part of the address after # is no link of the studio.", "fault");
  }));
  if (!(await goTo(came))) {
    session.open({ name: FIRST });
    const card = welcome([
      { title: "Drag the platform", text: "by its ball, its arrows, or with the arrow keys. Torques and singularities follow.", act: () => {
        hands();
        select(0);
        stage?.canvas.focus();
        say("Drag the ball at the platform, or press the arrow keys.", "note");
      } },
      { title: "Let two regulators race", text: "on the path of Codourey 1998: one knows the masses, one does not.", act: () => {
        walk.stop();
        select(2);
        card.remove();
        motion.start({});
      } },
      { title: "Pick another robot", text: "More than forty come with it, from a five-bar to hexapods. Or drop a file.", act: () => pick.open() },
    ]);
    stand.append(card);
    // The card lies on the foot of the picture; on a narrow screen it is below it.
    if (matchMedia("(min-width: 52rem)").matches) stage?.look("free", 0.58);
    if (!calm()) void walk.begin();
  }
  stand.dataset.ready = "true";
  stand.dataset.started = String(performance.now() - begun);
}

const report = document.getElementById("report");
if (report) show(JSON.parse(report.textContent!) as Report, document.getElementById("page")!);
else start().catch((error: unknown) => {
  page.replaceChildren(h("p", { class: "noscript", role: "alert" }, error instanceof Error ? error.message : String(error)));
  throw error;
});
