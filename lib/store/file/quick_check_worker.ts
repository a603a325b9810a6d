/// <reference no-default-lib="true" />
/// <reference lib="deno.worker" />
import { isSound } from "./quick_check.ts";

/** Reads the whole store in a thread of its own, so that no stream has to wait. */
self.onmessage = ({ data }: MessageEvent<string>) => self.postMessage(isSound(data));
