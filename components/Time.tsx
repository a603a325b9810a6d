import type { Formats } from "../lib/console/page/format.ts";

/** A time in the reader's zone, with the same time in UTC as its title. */
export function Time(
  { atMs, formats, as = "ago" }: {
    atMs: number;
    formats: Formats;
    as?: "ago" | "brief" | "day" | "moment";
  },
) {
  return (
    <time dateTime={new Date(atMs).toISOString()} title={formats.utc(atMs)}>
      {formats[as](atMs)}
    </time>
  );
}
