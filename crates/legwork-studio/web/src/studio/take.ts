/** The panel of what can be taken away: files, commands, code. */

import { bytes, type Report } from "../view/document";
import { button, h } from "../view/dom";
import { Refusal } from "./engine";
import type { CommandAsk, MapRequest, Request, TakenFile, TaskAsk } from "./messages";
import type { MotionPanel, Run } from "./motion";
import { reportPage } from "./reportpage";
import { inWords, type Session } from "./session";
import type { SpacePanel } from "./space";
import { copied, part, save } from "./ui";

export class TakePanel {
  readonly element = h("div", { class: "panel" });
  private fault = h("p", { class: "fault", role: "alert", hidden: "" });
  private status = h("p", { class: "hint", role: "status" });

  constructor(private readonly session: Session, private readonly motion: MotionPanel, private readonly space: SpacePanel, private readonly link: () => void) {}

  /** Made anew each time it is opened: it is about what is there then. */
  show(): void {
    const { session, motion, space } = this;
    const run = motion.runs.findLast((one) => one.shown) ?? motion.runs.at(-1);
    this.fault.hidden = true;
    this.status.textContent = "";
    const robot = part(
      "Robot",
      true,
      h("div", { class: "acts" }, button("Save robot file", () => save(`${session.version.file}.toml`, session.robot.text, "application/toml")), button("Copy link", this.link, { title: "A link that carries this robot, this pose and this view" })),
    );
    const code = part("Code for a controller", true, h("div", { class: "acts" }, ...(["c", "rust", "st"] as const).map((language) => button({ c: "C99", rust: "Rust", st: "Structured Text" }[language], () => void this.code(language)))), h("p", { class: "hint" }, "Kinematics, dynamics and regulators of this robot, with its numbers in them."));
    this.element.replaceChildren(robot, part("This pose", true, this.words({ state: session.question })), ...(run ? [this.ofRun(run)] : []), ...(space.request ? [this.ofMap(space.request)] : []), code, this.status, this.fault);
  }

  private ofRun(run: Run): HTMLElement {
    const formats = (["csv", "parquet", "mcap"] as const).map((format) => button(format === "mcap" ? "MCAP" : format === "csv" ? "CSV" : "Parquet", () => void this.files(run.request, { recording: format })));
    const page = button("Report", () => this.report(run.answer.report as unknown as Report), { title: "A page with plots and the moving robot, for every browser" });
    const picture = button("SVG", () => void this.files(run.request, { recording: "svg" }), { title: "The plots of this run as a picture" });
    return part(`Run ${run.name}`, true, h("div", { class: "acts" }, ...formats, page, picture), this.words({ request: run.request }));
  }

  private ofMap(request: { task: "map" } & MapRequest): HTMLElement {
    const files: [string, Partial<MapRequest>][] = request.volume ? [["STL", { mesh: "workspace.stl" }], ["OBJ", { mesh: "workspace.obj" }]] : [["SVG", { out: ["map.svg"] }], ["CSV", { out: ["map.csv"] }]];
    return part("Map", true, h("div", { class: "acts" }, ...files.map(([name, out]) => button(name, () => void this.files({ ...request, ...out }, {})))), this.words({ request }));
  }

  /** The same as command line, as a request file and as Python. */
  private words(of: CommandAsk): HTMLElement {
    const holder = h("div", {});
    try {
      const words = this.session.engine.ask({ ask: "command", ...of });
      const ways: [string, string, string | null][] = [["Command", words.command, null], ["Request file", words.toml, "request.toml"], ["Python", words.python, "request.py"]];
      for (const [title, text, name] of ways) {
        if (!text) continue;
        const keep = name ? button("Save", () => save(name, text), { class: "quiet", "aria-label": `Save ${title.toLowerCase()}` }) : null;
        holder.append(h("div", { class: "line" }, h("h4", {}, title), keep), copied(title, text));
      }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      holder.append(h("p", { class: "hint" }, inWords(error.failure)));
    }
    return holder;
  }

  private async files(request: Request, more: Partial<TaskAsk>): Promise<void> {
    this.fault.hidden = true;
    this.status.textContent = "Writing …";
    try {
      const answer = await this.session.engine.run({ ask: "task", request, ...more });
      this.give(answer.files);
    } catch (error) {
      this.refuse(error);
    }
  }

  private report(report: Report): void {
    save("report.html", reportPage(report), "text/html");
    this.status.textContent = "Saved report.html.";
  }

  private async code(language: string): Promise<void> {
    this.fault.hidden = true;
    this.status.textContent = "Writing …";
    try {
      this.give((await this.session.engine.run({ ask: "code", language })).files);
    } catch (error) {
      this.refuse(error);
    }
  }

  private give(files: TakenFile[]): void {
    for (const file of files) save(file.name.replace(/^.*\//, ""), bytes(file.base64), file.media_type);
    this.status.textContent = files.length > 0 ? `Saved ${files.map((file) => file.name).join(", ")}.` : "There was nothing to save.";
  }

  private refuse(error: unknown): void {
    if (!(error instanceof Refusal)) throw error;
    this.status.textContent = "";
    this.fault.hidden = false;
    this.fault.textContent = inWords(error.failure);
  }
}
