import { getHeapStatistics } from "node:v8";
import type { Limits } from "../config.ts";
import { BodyMemory } from "../http/body/body_memory.ts";

/**
 * The memory for request bodies on this machine: a share of the JavaScript heap, where their texts
 * are, but at least one body's maximum size.
 */
export function createBodyMemory(limits: Limits): BodyMemory {
  const { heap_size_limit: heapBytes } = getHeapStatistics();
  const least = Math.max(limits.bodyBytesMax, limits.formBytesMax);
  const totalBytes = Math.max(least, heapBytes * limits.bodiesHeapPercent / 100);
  return new BodyMemory({
    totalBytes: Math.floor(totalBytes),
    accountBytes: Math.floor(Math.max(least, totalBytes * limits.accountBodiesPercent / 100)),
    waitMs: limits.bodiesWaitMs,
  });
}
