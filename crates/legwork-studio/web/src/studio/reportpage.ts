/** A report as a file: this page's own script and style with the report in it, and without the library. */

import type { Report } from "../view/document";

const POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:";

export function reportPage(report: Report): string {
  const script = document.querySelector('script[type="module"]')!.textContent!;
  const style = document.querySelector("style")!.textContent!;
  // Inside a script element only `<` can end it or begin a comment.
  const data = JSON.stringify(report).replaceAll("<", "\\u003c");
  const title = report.title.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  return `<!doctype html>
<html lang="en" class="report">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<link rel="icon" href="data:,">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<main id="page"></main>
<script type="application/json" id="report">${data}</script>
<script type="module">${script}</script>
</body>
</html>
`;
}
