/** A time as the browser shows it: `640 ms`, `1.62 s`. */
export function spanText(ms: number): string {
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(2)} s`;
}
