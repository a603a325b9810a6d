import { isJsonObject } from "../../canonical/mod.ts";
import type { SseFrame } from "./sse.ts";

/** Returns true if the last event of a closed stream is complete apart from its blank line. */
export function isWholeEvent({ event }: SseFrame): boolean {
  if (event.data.trim() === "[DONE]") return true;
  try {
    return isJsonObject(JSON.parse(event.data));
  } catch {
    return false;
  }
}

/** The last events of a closed stream: a torn event after a finished answer is dropped. */
export function restOfStream(rest: readonly SseFrame[], isFinished: boolean): readonly SseFrame[] {
  return isFinished ? rest.filter(isWholeEvent) : rest;
}
