/** Several answers as one page: curves of the same plot together, robots in one picture. */

import type { Block, Lines, Moving, Report } from "../view/document";

export interface Named {
  name: string;
  report: Report;
}

export interface Merged {
  runs: Moving[];
  sections: { title: string; blocks: Block[] }[];
}

/** The runs of several answers have the names of their answers before them. */
export function merge(all: Named[]): Merged {
  const many = all.length > 1;
  const runs: Moving[] = [];
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
  return { runs, sections: [...sections].map(([title, blocks]) => ({ title, blocks })).filter(({ blocks }) => blocks.length > 0) };
}
