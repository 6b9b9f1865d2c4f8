import { existsSync, readFileSync } from "node:fs";
import { defineConfig, type Plugin } from "vite";

/** The terms of a package: its file of them, or what it declares. */
function termsOf(folder: string): string {
  if (existsSync(`${folder}/LICENSE`)) return readFileSync(`${folder}/LICENSE`, "utf8").trim();
  const { license, contributors } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"));
  return `${license}, ${contributors.map((person: { name: string }) => person.name).join(", ")}`;
}

/** Puts script and style into the page, so that it is one file that loads nothing else. */
function inline(): Plugin {
  return {
    name: "inline",
    enforce: "post",
    generateBundle(_, bundle) {
      const page = Object.values(bundle).find((file) => file.fileName.endsWith(".html"));
      if (page?.type !== "asset") throw new Error("no page in the bundle");
      let html = String(page.source);
      for (const [name, file] of Object.entries(bundle)) {
        if (file.type === "chunk") {
          // The script ends where it says so, and nowhere inside it.
          const code = file.code.replace(/<\/script/gi, "<\\/script").replace(/<!--/g, "<\\!--");
          const tag = new RegExp(`<script[^>]*src="[^"]*${name}"[^>]*></script>`);
          if (!tag.test(html)) throw new Error(`the page does not use ${name}`);
          html = html.replace(tag, "").replace("</body>", () => `<script type="module">${code}</script>\n</body>`);
        } else if (name.endsWith(".css")) {
          const tag = new RegExp(`<link[^>]*href="[^"]*${name}"[^>]*>`);
          if (!tag.test(html)) throw new Error(`the page does not use ${name}`);
          html = html.replace(tag, () => `<style>${String(file.source)}</style>`);
        } else {
          continue;
        }
        delete bundle[name];
      }
      // What is inside is others' work too: their terms go with it.
      const others = ["three", "uplot", ...(page.fileName === "studio.html" ? ["xz-decompress"] : [])];
      const terms = others.map((name) => `${name}\n\n${termsOf(`node_modules/${name}`)}`);
      page.source = html.replace("</html>", () => `<!--\nThis page contains:\n\n${terms.join("\n\n").replaceAll("--", "- -")}\n-->\n</html>`);
    },
  };
}

/** Two pages, each built alone: `vite build` the one of reports, `vite build --mode studio` the studio. */
export default defineConfig(({ mode }) => ({
  base: "./",
  plugins: [inline()],
  build: {
    target: "es2022",
    modulePreload: false,
    chunkSizeWarningLimit: 2000,
    emptyOutDir: false,
    rollupOptions: { input: mode === "studio" ? "studio.html" : "report.html" },
  },
}));
