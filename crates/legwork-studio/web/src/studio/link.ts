/** What a link carries after its `#`: the robot, the pose, the view; packed, because robot files are long. */

import type { Sight } from "./stage";

export interface Place {
  /** A built-in robot, or what the file of `text` is called. */
  name: string | null;
  /** A robot file. */
  text: string | null;
  mode: string | null;
  payload: string | null;
  values: number[] | null;
  sight: Sight | null;
  tab: number;
}

/** Longest text that is unpacked: nobody's link fills the memory. */
const MOST = 4_000_000;

export async function pack(place: Place): Promise<string> {
  const stream = new Blob([JSON.stringify(place)]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const all = new Uint8Array(await new Response(stream).arrayBuffer());
  let text = "";
  for (const byte of all) text += String.fromCharCode(byte);
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** `null` if it is no link of ours. */
export async function unpack(hash: string): Promise<Place | null> {
  // By hand: #robot=NAME.
  const named = /^#robot=([\w-]+)$/.exec(hash);
  if (named) return { name: named[1]!, text: null, mode: null, payload: null, values: null, sight: null, tab: 0 };
  try {
    const text = atob(hash.replace(/^#/, "").replaceAll("-", "+").replaceAll("_", "/"));
    const all = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
    const reader = new Blob([all]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
    const decoder = new TextDecoder();
    let json = "";
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      json += decoder.decode(next.value, { stream: true });
      if (json.length > MOST) return null;
    }
    const place = JSON.parse(json) as Partial<Place>;
    const isNumbers = (list: unknown): list is number[] => Array.isArray(list) && list.every((x) => typeof x === "number" && Number.isFinite(x));
    const text_ = (value: unknown) => (typeof value === "string" ? value : null);
    if (text_(place.name) == null && text_(place.text) == null) return null;
    return {
      name: text_(place.name),
      text: text_(place.text),
      mode: text_(place.mode),
      payload: text_(place.payload),
      values: isNumbers(place.values) ? place.values : null,
      sight: isNumbers(place.sight) && (place.sight as number[]).length === 6 ? place.sight : null,
      tab: Number.isInteger(place.tab) ? place.tab! : 0,
    };
  } catch {
    return null;
  }
}
