/// <reference no-default-lib="true" />
/// <reference lib="deno.worker" />
import { copyDatabase } from "./copy_database.ts";

/** Copies a database in a thread of its own, so that the caller can report the progress. */
self.onmessage = ({ data }: MessageEvent<{ readonly from: string; readonly to: string }>) => {
  try {
    copyDatabase(data.from, data.to);
    self.postMessage(null);
  } catch (error) {
    self.postMessage(error instanceof Error ? error.message : String(error));
  }
};
