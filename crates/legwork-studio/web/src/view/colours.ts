/** Colours that colour-blind readers can tell apart. */

import { css } from "./dom";

/** Of curve or run number k, in the present theme (Okabe and Ito, darkened or lightened by the style). */
export function colour(k: number): string {
  return css(`--c${k % 7}`);
}

/** Dashes of kind number k. */
export function dash(k: number): number[] | undefined {
  return [undefined, [7, 4], [2, 3], [9, 3, 2, 3], [14, 4], [5, 2, 1, 2, 1, 2]][k % 6];
}

/** Viridis at ten places; linear between them. */
const VIRIDIS = [
  [68, 1, 84], [72, 40, 120], [62, 74, 137], [49, 104, 142], [38, 130, 142],
  [31, 158, 137], [53, 183, 121], [109, 205, 89], [180, 222, 44], [253, 231, 37],
] as const;

/** Red, green, blue of a share between 0 and 1. */
export function viridis(share: number): [number, number, number] {
  const place = Math.min(Math.max(share, 0), 1) * (VIRIDIS.length - 1);
  const k = Math.min(Math.floor(place), VIRIDIS.length - 2);
  const [a, b] = [VIRIDIS[k]!, VIRIDIS[k + 1]!];
  const mix = (i: 0 | 1 | 2) => Math.round(a[i] + (b[i] - a[i]) * (place - k));
  return [mix(0), mix(1), mix(2)];
}
