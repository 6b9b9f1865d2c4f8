/** Several answers as one page: curves of the same plot together, robots in one picture. */

import type { Block, Lines, Moving, Report } from "../view/document";

export interface Named {
  name: string;
  report: Report;
}

export interface Merged {
  runs: Moving[];
  /** Where they should be, each wish once. */
  references: Moving[];
  sections: { title: string; blocks: Block[] }[];
}

/** The runs of several answers have the names of their answers before them. */
export function merge(all: Named[]): Merged {
  const many = all.length > 1;
  const runs: Moving[] = [];
  const references: Moving[] = [];
  const sections = new Map<string, Block[]>();
  const plots = new Map<string, Lines>();
  for (const { name, report } of all) {
    const called = (run: string | null) => (many ? [name, run].filter((part) => part).join(": ") : run);
    for (const section of report.sections) {
      const blocks = sections.get(section.title) ?? [];
      sections.set(section.title, blocks);
      for (const block of section.blocks) {
        if (block.kind === "animation") {
          runs.push(...block.runs.map((run) => ({ ...run, name: called(run.name) ?? run.name })));
          const isNew = (one: Moving) => !references.some((other) => JSON.stringify(other.points) === JSON.stringify(one.points));
          references.push(...(block.references ?? []).filter(isNew));
        } else if (block.kind === "lines") {
          const key = `${section.title}/${block.title}/${block.x.unit}/${block.y.unit}`;
          const found = plots.get(key);
          const curves = block.curves.map((curve) => ({ ...curve, run: called(curve.run) }));
          if (!found) {
            const copy = { ...block, grids: [...block.grids], curves };
            plots.set(key, copy);
            blocks.push(copy);
          } else {
            const offset = found.grids.length;
            found.grids.push(...block.grids);
            found.curves.push(...curves.map((curve) => ({ ...curve, grid: curve.grid + offset })));
          }
        } else {
          blocks.push(many && "title" in block ? { ...block, title: [name, block.title].filter((part) => part).join(": ") } : block);
        }
      }
    }
  }
  for (const [wanted, actual] of PAIRS) overlay(sections, plots, wanted, actual);
  // What moves over time is seen first, long lists last.
  const rank = (blocks: Block[]) => (blocks.some((block) => block.kind === "lines") ? 0 : blocks.every((block) => block.kind === "table") && blocks.length > 1 ? 2 : 1);
  return { runs, references, sections: [...sections].map(([title, blocks]) => ({ title, blocks })).filter(({ blocks }) => blocks.length > 0).sort((a, b) => rank(a.blocks) - rank(b.blocks)) };
}

/** Plots of what was wanted, and those of what came of it. */
const PAIRS = [["Where the platform should be", "Position of the platform"], ["Where the joints should be", "Joint angles"], ["Where the joints should be", "Joint positions"]] as const;

/** Puts what was wanted as one more run into the plot of what came of it; all runs have the same wish. */
function overlay(sections: Map<string, Block[]>, plots: Map<string, Lines>, wanted: string, actual: string): void {
  const find = (title: string) => [...plots.values()].find((plot) => plot.title === title);
  const [from, to] = [find(wanted), find(actual)];
  if (!from || !to || from.y.unit !== to.y.unit) return;
  const offset = to.grids.length;
  to.grids.push(...from.grids);
  const first = from.curves[0]?.run ?? null;
  const names = new Set(to.curves.map((curve) => curve.name));
  for (const curve of from.curves.filter((one) => one.run === first)) {
    const name = curve.name.replace(/_?ref/, "");
    if (names.has(name)) to.curves.push({ name, run: "reference", grid: curve.grid + offset, y: curve.y });
  }
  // One run alone has no name in its plot; beside a reference it needs one.
  for (const curve of to.curves) curve.run ??= "actual";
  for (const blocks of sections.values()) {
    const place = blocks.indexOf(from);
    if (place >= 0) blocks.splice(place, 1);
  }
}
