import { assert, assertEquals, assertMatch } from "@std/assert";
import { startSession } from "../../../lib/accounts/mod.ts";
import { openStore } from "../../../lib/store/mod.ts";
import { createUser } from "../../../lib/store/users/mod.ts";
import { sampleUser } from "../../store/samples.ts";
import { fillLog } from "../../store/log/filled_log.ts";
import { removeFolder } from "../../store/temp_store.ts";
import { testKey } from "../gateway.ts";
import { startServer } from "../server_process.ts";

/** SEARCH_CALLS=1000000 is the size that the bounds were chosen for. */
const calls = Number(Deno.env.get("SEARCH_CALLS") ?? 200_000);
/** For two cores that another suite shares. */
const bounds = { firstByteMs: 2_000, stepMs: 3_000, callMs: 250 };
const owner = sampleUser({ id: "owner", role: "administrator" });

/** One step of a search as its reader sees it. */
interface Step {
  /** The time to the first byte of its page. */
  readonly firstByteMs: number;
  readonly ms: number;
  readonly text: string;
  readonly next: string | undefined;
}

Deno.test(`a text search without hits over ${calls} calls shows its progress, and delays no call`, async () => {
  const folder = await Deno.makeTempDir();
  const token = await fillStore(folder);
  const server = await startServer(folder);
  try {
    await takeStep(`${server.base}/console/log?q=warm-up`, token);
    const quiet = await timedCalls(server.base, () => pause(3_000));
    const steps: Step[] = [];
    const busy = await timedCalls(server.base, async () => {
      let next: string | undefined = "/console/log?q=nowhere";
      for (; next; next = steps[steps.length - 1]?.next) {
        steps.push(await takeStep(server.base + next, token));
      }
    });
    report(steps, quiet, busy);
    assert(steps[0].firstByteMs < bounds.firstByteMs, "first byte");
    assert(Math.max(...steps.map(({ ms }) => ms)) < bounds.stepMs, "step");
    assertEquals(steps[0].text.includes("calls, 0 found"), true, steps[0].text);
    const { text } = steps[steps.length - 1];
    assertMatch(text, /^Searched all [\d,]+ calls, 0 found$/);
    assert(Number(text.replace(/\D/g, "").slice(0, -1)) >= calls, text);
    const usualMs = percentile(quiet, 0.99);
    assert(percentile(busy, 0.99) < Math.max(bounds.callMs, 3 * usualMs), "calls beside it");
  } finally {
    await server.stop();
    await removeFolder(folder);
  }
});

/** Returns the token of a session of the owner of all calls. */
async function fillStore(folder: string): Promise<string> {
  const store = await openStore({
    location: { type: "file", path: `${folder}/tessera.db` },
    secret: undefined,
  });
  await createUser(store, owner);
  const { token } = await startSession(store, owner, { nowMs: Date.now() });
  await fillLog(store, { calls, endMs: Date.now() - 60_000 });
  store.close();
  return token;
}

async function takeStep(url: string, token: string): Promise<Step> {
  const startedAt = performance.now();
  const response = await fetch(url, { headers: { cookie: `tessera=${token}` } });
  const firstByteMs = performance.now() - startedAt;
  const html = await response.text();
  const [, text = "", next] = /data-search-step="([^"]*)"(?: data-next="([^"]*)")?/.exec(html) ??
    [];
  return {
    firstByteMs,
    ms: performance.now() - startedAt,
    text,
    next: next?.replaceAll("&amp;", "&"),
  };
}

/** Calls the embedded model again and again until `work` is done; returns the times in milliseconds. */
async function timedCalls(base: string, work: () => Promise<void>): Promise<number[]> {
  const times: number[] = [];
  let isDone = false;
  const calling = (async () => {
    while (!isDone) {
      const startedAt = performance.now();
      const response = await fetch(`${base}/v1/chat/completions`, {
        method: "POST",
        headers: { authorization: `Bearer ${testKey}` },
        body: JSON.stringify({
          model: "tessera-echo",
          messages: [{ role: "user", content: "hi" }],
        }),
      });
      await response.text();
      assertEquals(response.status, 200);
      times.push(performance.now() - startedAt);
      await pause(5);
    }
  })();
  await work();
  isDone = true;
  await calling;
  return times;
}

function report(steps: readonly Step[], quiet: readonly number[], busy: readonly number[]): void {
  const ms = steps.map((step) => step.ms);
  const round = (value: number) => value.toFixed(1);
  console.log(`${steps.length} steps, ${round(ms.reduce((a, b) => a + b) / 1_000)} s in total`);
  console.log(`step: longest ${round(Math.max(...ms))} ms; first page ${round(ms[0])} ms`);
  for (const [name, times] of Object.entries({ quiet, busy })) {
    const at = (share: number) => round(percentile(times, share));
    console.log(`calls ${name}: ${times.length}, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`);
  }
}

function percentile(times: readonly number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.min(Math.floor(sorted.length * share), sorted.length - 1)];
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
