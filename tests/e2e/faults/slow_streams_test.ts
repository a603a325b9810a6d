import { assert, assertEquals } from "@std/assert";
import { type FormatName, formatNames } from "../../../lib/canonical/mod.ts";
import { withStoreFolder } from "../money/place.ts";
import { startServer } from "../server_process.ts";
import { postTo } from "./faulty_gateway.ts";
import { lagP99, metricsFor, type ProcessMetrics, warmUp } from "./gateway_metrics.ts";
import { judgeStream } from "./judged.ts";
import { type SlowUpstream, startSlowUpstream } from "./slow_upstream.ts";

/** Many streams at once that hardly say anything: what each of them costs a gateway in a process of its own. */

const streams = Number(Deno.env.get("TESSERA_STREAMS") ?? 1_000);
const warmUpStreams = 20;
const heldMs = 6_000;
const everyMs = 1_000;
const bytesPerStreamMax = 64 * 1024;
const lagSecondsMax = 0.05;
const triesMax = 3;

Deno.test(`${streams} slow streams: what each costs in memory, and how late the event loop is`, () =>
  withStoreFolder(async (folder) => {
    await using upstream = startSlowUpstream(everyMs);
    const server = await startServer(folder, { config: configFor(upstream) });
    const warm = { count: warmUpStreams, look: () => Promise.resolve() };
    await warmUp(server.base, () => held(server.base, upstream, warm));
    const before = await metricsFor(server.base, 1_000);
    const during = await held(server.base, upstream, {
      count: streams,
      look: () => calmest(server.base),
    });
    const bytes = leastHeap(during) - leastHeap(before);
    const resident = largestResident(during) - largestResident(before);
    const p99 = lagP99(during);
    const whileOpening = lagP99([...before.slice(-1), during[0]]);
    console.log(
      `${streams} streams: ${kibibytes(bytes)} KiB each (resident ${kibibytes(resident)}), ` +
        `event-loop lag p99 ≤ ${p99 * 1_000} ms, while they open ≤ ${whileOpening * 1_000} ms`,
    );
    assertEquals(await server.stop(), 0);
    assert(bytes / streams <= bytesPerStreamMax, `${bytes / streams} bytes per stream`);
    assert(p99 <= lagSecondsMax, `p99 of the event-loop lag is ${p99} s`);
  }));

/** Opens so many streams, looks while they are open, and lets them end as they should. */
async function held<Seen>(
  base: string,
  upstream: SlowUpstream,
  { count, look }: { readonly count: number; readonly look: () => Promise<Seen> },
): Promise<Seen> {
  upstream.again();
  const endings = Array.from({ length: count }, (_, at) => endingOf(base, at));
  while (upstream.open() < count) await new Promise((resolve) => setTimeout(resolve, 20));
  const seen = await look();
  upstream.finish();
  assertEquals((await Promise.all(endings)).filter((ending) => ending !== "completes"), []);
  return seen;
}

/** Looks again where the event loop was late: on this machine others work too. */
async function calmest(base: string): Promise<readonly ProcessMetrics[]> {
  let best = await metricsFor(base, heldMs);
  for (let tries = 1; tries < triesMax && lagP99(best) > lagSecondsMax; tries++) {
    const next = await metricsFor(base, heldMs);
    if (lagP99(next) < lagP99(best)) best = next;
  }
  return best;
}

/** In all formats, half of them converted. */
async function endingOf(base: string, at: number): Promise<string> {
  const caller = formatNames[at % 4];
  const spoken = formatNames[at % 8 < 4 ? at % 4 : (at + 1) % 4];
  const response = await postTo({ base }, caller, { model: modelFor(spoken), stream: true });
  const { type, problems } = judgeStream(caller, await response.text());
  return [type, ...problems].join("; ");
}

const modelFor = (format: FormatName) => `slow-${format}`;

function configFor({ base }: SlowUpstream) {
  return {
    upstreams: formatNames.map((format) => ({
      id: format,
      endpoints: { [format]: base(format) },
      apiKeys: ["up-secret"],
      models: [modelFor(format)],
    })),
  };
}

function leastHeap(seen: readonly ProcessMetrics[]): number {
  return Math.min(...seen.map(({ heapBytes }) => heapBytes));
}

function largestResident(seen: readonly ProcessMetrics[]): number {
  return Math.max(...seen.map(({ residentBytes }) => residentBytes));
}

function kibibytes(bytes: number): string {
  return (bytes / streams / 1024).toFixed(1);
}
