import type { Times } from "./processes/load.ts";
import type { Machine } from "./results.ts";
import { quantile } from "./statistics.ts";

export async function describeMachine(folder: string): Promise<Machine> {
  const cpuInfo = await Deno.readTextFile("/proc/cpuinfo");
  return {
    cpu: /^model name\s*: (.*)$/m.exec(cpuInfo)?.[1] ?? "unknown",
    cores: navigator.hardwareConcurrency,
    memoryGb: Math.round(Deno.systemMemoryInfo().total / 2 ** 30),
    deno: Deno.version.deno,
    startedAt: new Date().toISOString(),
    loadAverage: Deno.loadavg()[0],
    flushMs: await measureFlush(folder),
  };
}

const flushes = 200;

/** Times durable writes. A durable commit cannot be faster than one of them. */
async function measureFlush(folder: string): Promise<Times> {
  using file = await Deno.open(`${folder}/flush`, { write: true, create: true });
  const page = new Uint8Array(4_096);
  const times = new Float64Array(flushes);
  for (let n = 0; n < flushes; n++) {
    const startMs = performance.now();
    await file.write(page);
    await file.syncData();
    times[n] = performance.now() - startMs;
  }
  times.sort();
  return { p50: quantile(times, 0.5), p99: quantile(times, 0.99) };
}
