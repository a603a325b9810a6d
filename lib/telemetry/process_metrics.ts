import { Gauge, Histogram, type Registry } from "prom-client";

const everyMs = 50;
/** A machine that slept for hours must not count for minutes. */
const samplesMax = 1_000;

/**
 * Shows how late the event loop is, by a timer that looks how late it was itself, and what memory
 * the process has when somebody asks. Runs until it is stopped; keeps no process alive.
 */
export function watchProcess(registry: Registry): { stop(): void } {
  watchMemory(registry);
  watchOpenFiles(registry);
  return watchEventLoop(registry);
}

function watchEventLoop(registry: Registry): { stop(): void } {
  const lag = new Histogram({
    name: "tessera_event_loop_lag_seconds",
    help: "Delay of timers, which every answer shares while other work blocks the event loop",
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
    registers: [registry],
  });
  let lastAt = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    for (const lateMs of missedBy(now - lastAt - everyMs)) lag.observe(lateMs / 1_000);
    lastAt = now;
  }, everyMs);
  Deno.unrefTimer(timer);
  return { stop: () => clearInterval(timer) };
}

/** By how much a sample was late, and every other that should have been taken meanwhile. */
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
    help:
      "Memory of the process: resident, of the heap in use and in all, and of buffers outside it",
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

/** Under the names that Prometheus' own clients use. Connections are most of them. Of Linux alone. */
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
