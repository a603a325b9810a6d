/// <reference no-default-lib="true" />
/// <reference lib="deno.worker" />
import { isSound, type QuickCheckResult } from "./quick_check.ts";

/** Reads the whole store in a thread of its own, so that no stream has to wait. */
self.onmessage = ({ data }: MessageEvent<string>) => self.postMessage(result(data));

/** A worker that throws would have to be started again. */
function result(path: string): QuickCheckResult {
  try {
    return { isSound: isSound(path) };
  } catch (error) {
    return { failure: error instanceof Error ? error.message : String(error) };
  }
}
