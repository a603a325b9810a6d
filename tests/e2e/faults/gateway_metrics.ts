/** Metrics of a gateway in a process of its own, read from `/metrics`. */
export interface ProcessMetrics {
  /** Bytes of live and not yet collected objects, including buffers outside the heap. */
  readonly heapBytes: number;
  readonly residentBytes: number;
  /** Cumulative counts of event-loop lag samples, by upper bound in seconds. */
  readonly lag: ReadonlyMap<number, number>;
}

export async function processMetrics(base: string): Promise<ProcessMetrics> {
  const text = await (await fetch(`${base}/metrics`)).text();
  const memory = (kind: string) => valueOf(text, `tessera_memory_bytes{kind="${kind}"}`);
  const buckets = text.matchAll(/^tessera_event_loop_lag_seconds_bucket\{le="(\S+)"\} (\d+)$/gm);
  return {
    heapBytes: memory("heap_used") + memory("external"),
    residentBytes: memory("rss"),
    lag: new Map(
      [...buckets].map(([, le, count]) => [Number(le.replace("+Inf", "Infinity")), +count]),
    ),
  };
}

function valueOf(text: string, name: string): number {
  const line = text.split("\n").find((line) => line.startsWith(`${name} `));
  return Number(line?.slice(name.length + 1));
}

/** Samples the metrics for a while. */
export async function metricsFor(base: string, ms: number): Promise<readonly ProcessMetrics[]> {
  const seen = [await processMetrics(base)];
  for (const until = performance.now() + ms; performance.now() < until;) {
    await new Promise((resolve) => setTimeout(resolve, sampleMs));
    seen.push(await processMetrics(base));
  }
  return seen;
}

const sampleMs = 250;
const warmUpCalls = 20;

/** Excludes the background work of a start and the allocations of first calls from measurements. */
export async function warmUp(base: string, call: () => Promise<unknown>): Promise<void> {
  await (await fetch(`${base}/console`)).body?.cancel(); // responds once the console has loaded
  for (let calls = 0; calls < warmUpCalls; calls++) await call();
}

/** The smallest bound in seconds that 99 of 100 samples kept from the first look to the last. */
export function lagP99(seen: readonly ProcessMetrics[]): number {
  const before = seen[0].lag;
  const counts = [...seen[seen.length - 1].lag].map(([le, count]) =>
    [le, count - (before.get(le) ?? 0)] as const
  );
  const all = counts.at(-1)?.[1] ?? 0;
  return counts.find(([, count]) => count >= all * 0.99)?.[0] ?? Infinity;
}
