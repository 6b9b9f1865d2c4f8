// Files that the page gives away.

import { basename, join } from "node:path";

/** Presses a button of a section; the page says what it saves, and so many files come. */
export async function downloaded(page, section, button, folder) {
  const downloads = [];
  const hear = (download) => downloads.push(download);
  page.on("download", hear);
  await section.getByRole("button", { name: button, exact: true }).click();
  const names = (await page.getByText(/^Saved /).textContent()).replace(/^Saved |\.$/g, "").split(", ");
  while (downloads.length < names.length) await page.waitForEvent("download");
  page.off("download", hear);
  // A browser may give them in another order than the page.
  const order = names.map((name) => basename(name));
  downloads.sort((a, b) => order.indexOf(a.suggestedFilename()) - order.indexOf(b.suggestedFilename()));
  const paths = [];
  for (const one of downloads) {
    const path = join(folder, one.suggestedFilename());
    await one.saveAs(path);
    paths.push(path);
  }
  return paths;
}
