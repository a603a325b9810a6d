import { Gauge, Histogram, type Registry } from "prom-client";

const everyMs = 50;
/** Limits the samples after a machine has slept for hours. */
const samplesMax = 1_000;

/**
 * Measures the event loop's delay with a timer, and the memory of the process when metrics are
 * read. Runs until stopped, and does not keep the process alive.
 */
export function watchProcess(registry: Registry): { stop(): void } {
  watchMemory(registry);
  watchOpenFiles(registry);
  return watchEventLoop(registry);
}

function watchEventLoop(registry: Registry): { stop(): void } {
  const lag = new Histogram({
    name: "tessera_event_loop_lag_seconds",
    help: "Delay of the event loop, which delays every answer in progress",
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
