// What the tests of both pages need: a browser, and eyes for pages.

import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

export const launch = () => chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });

/** Collects what a page must not do: errors and warnings, and asking for anything but itself. */
export function watch(page, file) {
  const faults = [];
  page.on("console", (message) => {
    // The software renderer complains about screenshots being slow.
    if (["error", "warning"].includes(message.type()) && !message.text().includes("GPU stall")) faults.push(message.text());
  });
  page.on("pageerror", (error) => faults.push(error.message));
  page.on("request", (request) => {
    if (!/^(data|blob):/.test(request.url()) && request.url().split("#")[0] !== address(file)) faults.push(`asks for ${request.url()}`);
  });
  return faults;
}

export const address = (file) => pathToFileURL(resolve(file)).href;

/** How many different colours a canvas has. */
export const colours = (canvas) =>
  canvas.evaluate((canvas) => {
    const copy = Object.assign(document.createElement("canvas"), { width: canvas.width, height: canvas.height });
    const pen = copy.getContext("2d");
    pen.drawImage(canvas, 0, 0);
    const { data } = pen.getImageData(0, 0, copy.width, copy.height);
    const seen = new Set();
    for (let k = 0; k < data.length; k += 4) if (data[k + 3] > 0) seen.add((data[k] << 16) | (data[k + 1] << 8) | data[k + 2]);
    return seen.size;
  });

export const picture = (canvas) => canvas.evaluate((canvas) => canvas.toDataURL());
