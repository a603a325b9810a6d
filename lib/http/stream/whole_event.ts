import { isJsonObject } from "../../canonical/mod.ts";
import type { SseFrame } from "./sse.ts";

/** Whether the last event of a stream that closed came whole, but for its blank line. */
export function isWholeEvent({ event }: SseFrame): boolean {
  if (event.data.trim() === "[DONE]") return true;
  try {
    return isJsonObject(JSON.parse(event.data));
  } catch {
    return false;
  }
}

/** The last events of a stream that closed: a finished answer loses nothing by an event that was torn off behind it. */
export function restOfStream(rest: readonly SseFrame[], isFinished: boolean): readonly SseFrame[] {
  return isFinished ? rest.filter(isWholeEvent) : rest;
}
