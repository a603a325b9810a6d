import type { Formats } from "../lib/console/page/view.ts";

/** A moment in the reader's zone; its title is the same in UTC. */
export function Time(
  { atMs, formats, as = "ago" }: {
    atMs: number;
    formats: Formats;
    as?: "ago" | "day" | "moment";
  },
) {
  return (
    <time dateTime={new Date(atMs).toISOString()} title={formats.utc(atMs)}>
      {formats[as](atMs)}
    </time>
  );
}
