import { assert, assertEquals } from "@std/assert";
import { type FormatName, formatNames } from "../../../lib/canonical/mod.ts";
import { codecs } from "../../../lib/formats/mod.ts";
import type { RequestLogRow } from "../../../lib/store/log/mod.ts";
import { later, until } from "../../waiting.ts";
import { startGateway, type TestGateway, testKey } from "../gateway.ts";
import { rawCall } from "../load/raw_call.ts";
import { bodySizes, sizeInTurn } from "../load/sized_body.ts";
import { type FaultUpstream, pathName, startFaultUpstream } from "./fault_upstream.ts";
import { type Asking, postTo, requestTo } from "./faulty_gateway.ts";
import { properly } from "./injections.ts";
import { type Moment, moments, Watched } from "./leaving.ts";
import { story } from "./proper_answer.ts";
import { allRows, assertNothingHeld } from "./settled.ts";

/**
 * A caller that disconnects: the delay until its upstream's connection closes, its log row, and no
 * failover.
 */

const heardMsMax = 100;
/** Retries for a busy machine. */
const triesMax = 3;
const keepAliveMs = 20;
const lingerMs = 100;
/** After this time the upstream's connection counts as never closed. */
const unheardMs = 1_000;

interface Cell {
  readonly moment: Moment;
  readonly caller: FormatName;
  readonly spoken: FormatName;
  readonly size: ReturnType<typeof sizeInTurn>;
  readonly way: Way;
}

/** The ways in which a caller disconnects. */
const ways = ["abort", "close", "reset"] as const;
type Way = typeof ways[number];

const otherOf: Readonly<Record<FormatName, FormatName>> = {
  "chat-completions": "messages",
  messages: "responses",
  responses: "generate-content",
  "generate-content": "chat-completions",
};

/** Every moment with every size of body and every way to leave, which take turns. */
const cells: readonly Cell[] = moments.flatMap((moment, group) =>
  formatNames.flatMap((caller) =>
    [caller, otherOf[caller]].map((spoken) => ({ moment, caller, spoken }))
  ).map((cell, at) => ({
    ...cell,
    size: sizeInTurn(at),
    way: ways[(at + Math.floor(at / bodySizes.length) + group) % ways.length],
  }))
);

Deno.test("a disconnect closes the upstream's connection at once, at any moment, without a failover", async () => {
  const watched = new Watched();
  await using upstream = startFaultUpstream([
    ...moments.map(({ name, answer }) => ({
      name: pathName(name),
      inject: watched.inject(answer),
    })),
    { name: "healthy", inject: properly },
  ]);
  await using gateway = await startGateway(configFor(upstream));
  const problems: string[] = [];
  const worst = new Map<string, number>();
  let calls = 0;
  for (const cell of cells) {
    let best = Infinity;
    for (let tries = 0; tries < triesMax && best > heardMsMax; tries++) {
      const ms = await leave(gateway, watched, cell);
      if (ms === Infinity) gateway.parts.gateway.send.endAll(); // or the gateway would wait for it
      assert(ms < Infinity, `${nameOf(cell)}: the upstream does not hear of it`);
      best = Math.min(best, ms);
      problems.push(...rowProblems(cell, await newestRow(gateway, ++calls)));
    }
    worst.set(cell.moment.name, Math.max(best, worst.get(cell.moment.name) ?? 0));
  }
  for (const [name, ms] of worst) {
    console.log(`${name}: heard of after ${ms.toFixed(1)} ms at most`);
  }
  assertEquals(problems, []);
  assertEquals([...worst].filter(([, ms]) => ms > heardMsMax), []);
  assertEquals(upstream.asked.filter(({ fault }) => fault === "healthy"), []);
  await assertNothingHeld(gateway);
});

/** Each upstream has a second one with a lower priority, which a failover would call. */
function configFor(upstream: FaultUpstream) {
  return {
    limits: { sseKeepAliveMs: keepAliveMs },
    keys: [{ name: "test", group: "default", value: testKey, limits: { concurrency: 4 } }],
    upstreams: formatNames.flatMap((format) => [
      ...moments.map(({ name }) => ({
        id: `${pathName(name)}-${format}`,
        endpoints: { [format]: upstream.base(pathName(name), format) },
        models: [`${pathName(name)}@${format}`],
        priority: 1,
      })),
      {
        id: `healthy-${format}`,
        endpoints: { [format]: upstream.base("healthy", format) },
        models: [`*@${format}`],
      },
    ]),
  };
}

/** Calls and disconnects; returns the delay until the upstream's connection closes. */
async function leave(gateway: TestGateway, watched: Watched, cell: Cell): Promise<number> {
  const { moment, caller, spoken, size, way } = cell;
  watched.again();
  const asking = {
    model: `${pathName(moment.name)}@${spoken}`,
    stream: moment.streamed,
    bytes: size.bytes,
  };
  const { until, leave } = await (way === "abort" ? fetching : sending)(gateway, caller, asking);
  await watched.asked;
  if (moment.until) await until(textAt(moment.until, caller));
  if (moment.lingers) await later(lingerMs);
  const leftAt = performance.now();
  leave(way);
  const left = await Promise.race([watched.left, later(unheardMs).then(() => Infinity)]);
  return left - leftAt;
}

/** The text after which a caller disconnects. */
function textAt(until: NonNullable<Moment["until"]>, caller: FormatName): string {
  if (until === "content") return story[1].trim();
  return codecs[caller].takesComments === false ? "data: " : ": keep-alive";
}

type Calling = (
  gateway: TestGateway,
  caller: FormatName,
  asking: Asking,
) => Promise<{ until(text: string): Promise<void>; leave(way: Way): void }>;

const fetching: Calling = (gateway, caller, asking) => {
  const leaving = new AbortController();
  const answer = postTo(gateway, caller, { ...asking, init: { signal: leaving.signal } });
  answer.catch(() => {}); // it is broken off
  return Promise.resolve({
    until: async (text) => await readUntil(await answer, text),
    leave: () => leaving.abort(),
  });
};

const sending: Calling = async (gateway, caller, asking) => {
  const raw = await rawCall(gateway.base, requestTo(caller, asking));
  return {
    until: async (text) => void await raw.readUntil(text),
    leave: (way) => way === "reset" ? raw.reset() : raw.close(),
  };
};

async function readUntil(response: Response, wanted: string): Promise<void> {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  for (let text = ""; !text.includes(wanted);) {
    const next = await reader?.read();
    assert(next?.value, "the answer ended before its time");
    text += decoder.decode(next.value, { stream: true });
  }
  reader?.releaseLock();
}

async function newestRow(gateway: TestGateway, count: number): Promise<RequestLogRow> {
  let rows: readonly RequestLogRow[] = [];
  await until(async () => (rows = await allRows(gateway)).length >= count, "no row was written");
  assertEquals(rows.length, count);
  return rows[0];
}

function nameOf({ moment, caller, spoken, size, way }: Cell): string {
  return `${moment.name}, ${spoken} for ${caller}, ${size.size}, ${way}`;
}

function rowProblems(cell: Cell, row: RequestLogRow): readonly string[] {
  const delivered = cell.moment.delivers === "something";
  const differences = [
    ["the outcome", row.outcome, "client_gone"],
    ["the error", row.errorCode, "client_closed"],
    ["who counted", row.usageSource, delivered ? "counted" : "none"],
    ["that it is charged", (row.usage?.outputTokens ?? 0) > 0, delivered],
    ["the attempts", row.attempts?.length, 1],
  ].filter(([, actual, expected]) => actual !== expected);
  return differences.map(([what, actual, expected]) =>
    `${nameOf(cell)}: ${what} is ${actual}, not ${expected}`
  );
}
