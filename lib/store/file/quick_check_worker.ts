/// <reference no-default-lib="true" />
/// <reference lib="deno.worker" />
import { isSound } from "./quick_check.ts";

/** A thread of its own for reading a whole store, which would hold up every stream of the one that serves. */
self.onmessage = ({ data }: MessageEvent<string>) => self.postMessage(isSound(data));
