import { Gauge, Histogram, type Registry } from "prom-client";
import type { Activity } from "../activity.ts";

const everyMs = 50;
/** Limits the samples after a machine has slept for hours. */
const samplesMax = 1_000;

/**
 * Measures the event loop's delay with a timer while there are requests, and the memory of the
 * process when metrics are read. Returns the function that stops the timer.
 */
export function watchProcess(registry: Registry, activity: Activity): () => void {
  watchMemory(registry);
  watchOpenFiles(registry);
  return watchEventLoop(registry, activity);
}

function watchEventLoop(registry: Registry, activity: Activity): () => void {
  const lag = new Histogram({
    name: "tessera_event_loop_lag_seconds",
    help: "Delay of the event loop, which delays every answer in progress",
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
    registers: [registry],
  });
  let lastAt = performance.now();
  return activity.every(everyMs, (isResumed) => {
    const now = performance.now();
    const lateMs = isResumed ? [] : missedBy(now - lastAt - everyMs); // a pause is no delay
    for (const ms of lateMs) lag.observe(ms / 1_000);
    lastAt = now;
  });
}

/** The delay of a sample, and of each sample that was missed meanwhile. */
export function missedBy(lateMs: number): readonly number[] {
  const missed = Math.floor(Math.max(0, lateMs) / everyMs);
  return Array.from(
    { length: Math.min(missed + 1, samplesMax) },
    (_, at) => Math.max(0, lateMs) - at * everyMs,
  );
}

function watchMemory(registry: Registry): void {
  new Gauge({
    name: "tessera_memory_bytes",
    help: "Memory of the process: resident, heap in use, whole heap, and external buffers",
    labelNames: ["kind"] as const,
    registers: [registry],
    collect() {
      const { rss, heapUsed, heapTotal, external } = Deno.memoryUsage();
      this.set({ kind: "rss" }, rss);
      this.set({ kind: "heap_used" }, heapUsed);
      this.set({ kind: "heap_total" }, heapTotal);
      this.set({ kind: "external" }, external);
    },
  });
}

/**
 * Exports open files, most of which are connections, under the names of Prometheus' own clients.
 * Linux only.
 */
function watchOpenFiles(registry: Registry): void {
  new Gauge({
    name: "process_open_fds",
    help: "Open files and connections of the process",
    registers: [registry],
    collect() {
      const open = openFiles();
      if (open !== undefined) this.set(open);
    },
  });
}

function openFiles(): number | undefined {
  try {
    return [...Deno.readDirSync("/proc/self/fd")].length;
  } catch {
    return undefined;
  }
}
