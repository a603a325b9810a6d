import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { formatNames } from "../../../lib/canonical/mod.ts";
import { withStoreFolder } from "../money/place.ts";
import { type SharedStore, testOnSharedStores } from "../money/shared_store.ts";
import type { ServerProcess } from "../server_process.ts";
import { type BlackHole, startBlackHole } from "./black_hole.ts";
import {
  assertAudited,
  assertRefused,
  call,
  deltaText,
  readiness,
  rowsOf,
  runOn,
  startGatedUpstream,
  startOnStore,
  untilReadiness,
} from "./outage.ts";

/** A store on a database server that stops responding and comes back. */

const bytes = 20_000;
/** Bounds of the documents; `slackMs` is for the machine of the test. */
const [readyMsMax, callMsMax, slackMs] = [2_000, 5_000, 500];
const awayMs = 9_000;
/** Ten seconds without requests, the last probe of the store, and the time that it proves readiness. */
const pausedAfterMs = 14_000;

interface Place {
  readonly kv: SharedStore;
  readonly hole: BlackHole;
}

const outages: readonly {
  readonly name: string;
  readonly leave: (place: Place) => void | Promise<void>;
  readonly comeBack: (place: Place) => void | Promise<void>;
  /**
   * True if records may have reached the server that were sent before it stopped responding. Deno's KV
   * client repeats them in any case.
   */
  readonly mayHaveRecorded: boolean;
}[] = [
  {
    name: "frozen",
    leave: ({ kv }) => kv.signal("SIGSTOP"),
    comeBack: ({ kv }) => kv.signal("SIGCONT"),
    mayHaveRecorded: true,
  },
  {
    name: "killed",
    leave: ({ kv }) => kv.kill(),
    comeBack: ({ kv }) => kv.restart(),
    mayHaveRecorded: false,
  },
  {
    name: "behind a network that drops everything",
    leave: ({ hole }) => hole.swallow(),
    comeBack: ({ hole }) => hole.forward(),
    mayHaveRecorded: false,
  },
];

for (const { name, leave, comeBack, ...outage } of outages) {
  testOnSharedStores(
    (kind) =>
      `${kind} that is ${name}: everything is answered in time, and each call is recorded once when it is back`,
    (start, kind) =>
      withStoreFolder(async (folder) => {
        const mayHaveRecorded = outage.mayHaveRecorded || kind === "a KV server";
        await using kv = await start(folder);
        await using hole = startBlackHole(kv.location.url);
        await using upstream = startGatedUpstream();
        const server = await startOnStore(hole.url, upstream);
        upstream.open();
        const before = await callAll(server, false);
        upstream.shut();
        const asked = upstream.asked();
        const wholes = callAll(server, false);
        const streams = callAll(server, true);
        await upstream.arrived(asked + 8);

        await leave({ kv, hole });
        const leftAt = performance.now();
        upstream.open();
        const [readyMs, unknown, page, whole, streamed, later] = await Promise.all([
          untilReadiness(server, 503, readyMsMax + slackMs),
          call(server, "messages", false, undefined, { bytes, key: "sk-unknown-0123456789abcdef" }),
          timed(() => consolePage(server)),
          wholes,
          streams,
          callAll(server, false),
        ]);
        assertEquals((await readiness(server)).body.fault, "silent");
        assertEquals([page.value.status, page.value.isStoreNotice], [503, true], page.value.text);
        assert(page.ms < callMsMax + slackMs, `a page took ${page.ms} ms`);
        for (const { status, code, retryAfter } of [unknown, ...later, ...whole]) {
          assertEquals([status, code, retryAfter], [503, "store_unavailable", "5"]);
        }
        for (const { ms } of [unknown, ...later]) assert(ms < callMsMax + slackMs, `${ms} ms`);
        for (const { status, code, text } of streamed) {
          assertEquals([status, code], [200, "store_unavailable"]);
          assertStringIncludes(text, deltaText.slice(0, 50));
        }
        const endedMs = performance.now() - leftAt;
        assert(endedMs < callMsMax + 2 * slackMs, `all ended after ${endedMs} ms`);

        const refused = await assertRefused(server, upstream);
        const refusedMs = Math.max(...refused.map(({ ms }) => ms));
        assert(refusedMs < 2_000, `refused after ${refusedMs} ms`);
        const again = await timed(() => consolePage(server));
        assertEquals([again.value.status, again.value.isStoreNotice], [503, true]);
        assert(again.ms < 2_000, `a page took ${again.ms} ms`);
        await new Promise((resolve) => setTimeout(resolve, awayMs - endedMs));

        await comeBack({ kv, hole });
        const recoveredMs = await untilReadiness(server, 200, 10_000);
        const after = await callAll(server, true);
        console.log(
          `${name}: /readyz 503 after ${readyMs} ms, calls and pages after ${
            Math.round(endedMs)
          } ms, ` +
            `then refused in ${refusedMs} ms; ready ${recoveredMs} ms after it was back`,
        );
        assertEquals(await server.stop(), 0, server.said());

        const rows = await rowsOf(kv.location.url);
        const costs = before.map(({ id }) => rows.get(id)?.costNanoUsd ?? 0n);
        assert(costs.every((cost) => cost > 0n));
        for (const [at, { id, status }] of after.entries()) {
          assertEquals([status, rows.get(id)?.costNanoUsd], [200, costs[at]]);
        }
        for (const [at, { id }] of streamed.entries()) {
          const { outcome = "", costNanoUsd } = rows.get(id) ?? {};
          assertEquals(costNanoUsd, costs[at]);
          assert(outcome === "truncated" || mayHaveRecorded && outcome === "completed", outcome);
        }
        const unsent = later.filter(({ id }) => !rows.has(id)); // refused, once the outage was known
        for (const { id } of [...whole, ...later].filter((one) => !unsent.includes(one))) {
          const { outcome, errorCode, costNanoUsd } = rows.get(id) ?? {};
          if (mayHaveRecorded && outcome === "completed") continue;
          assertEquals([errorCode, costNanoUsd], ["store_unavailable", undefined]);
        }
        assertEquals(rows.get(unknown.id), undefined);
        assertAudited(await runOn(kv.location.url, "tools/audit.ts"));
      }),
  );
}

testOnSharedStores(
  (kind) => `${kind} that is frozen for a second: every call succeeds`,
  (start) =>
    withStoreFolder(async (folder) => {
      await using kv = await start(folder);
      await using upstream = startGatedUpstream();
      const server = await startOnStore(kv.location.url, upstream);
      upstream.open();
      await kv.signal("SIGSTOP");
      const calls = [true, false].map((stream) => callAll(server, stream));
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      await kv.signal("SIGCONT");
      for (const { status, code } of (await Promise.all(calls)).flat()) {
        assertEquals([status, code], [200, undefined]);
      }
      assertEquals(await server.stop(), 0);
      assertEquals((await rowsOf(kv.location.url)).size, 8);
      assertAudited(await runOn(kv.location.url, "tools/audit.ts"));
    }),
);

testOnSharedStores(
  (kind) => `${kind} that freezes while there are no calls delays no probe of the gateway`,
  (start) =>
    withStoreFolder(async (folder) => {
      await using kv = await start(folder);
      await using upstream = startGatedUpstream();
      const server = await startOnStore(kv.location.url, upstream);
      await new Promise((resolve) => setTimeout(resolve, pausedAfterMs));
      await kv.signal("SIGSTOP");
      const alive = await timed(() => fetch(`${server.base}/healthz`));
      assertEquals(await alive.value.text(), "ok\n");
      assert(alive.ms < slackMs, `/healthz took ${alive.ms} ms`);
      const ready = await timed(() => readiness(server));
      assertEquals(ready.value.status, 503);
      assert(ready.ms < readyMsMax + slackMs, `/readyz took ${ready.ms} ms`);
      await kv.signal("SIGCONT");
      await untilReadiness(server, 200, 10_000);
      assertEquals(await server.stop(), 0);
    }),
);

testOnSharedStores(
  (kind) => `a start on ${kind} that does not respond ends with one line and exit code 1`,
  (start) =>
    withStoreFolder(async (folder) => {
      await using kv = await start(folder);
      await kv.signal("SIGSTOP");
      for (const script of ["main.ts", "tools/audit.ts"] as const) {
        const { code, stderr } = await runOn(kv.location.url, script);
        assertEquals(code, 1, stderr);
        assertStringIncludes(stderr, `Cannot use the store ${kv.where}: it does not answer`);
      }
    }),
);

function callAll(server: ServerProcess, stream: boolean) {
  return Promise.all(
    formatNames.map((format) => call(server, format, stream, undefined, { bytes })),
  );
}

async function consolePage({ base }: ServerProcess) {
  const response = await fetch(`${base}/console/keys`, {
    headers: { cookie: "tessera=unknown" },
    redirect: "manual",
  });
  const text = await response.text();
  return {
    status: response.status,
    isStoreNotice: /Store unavailable|console is starting/.test(text),
    text,
  };
}

async function timed<Value>(run: () => Promise<Value>) {
  const startedAt = performance.now();
  const value = await run();
  return { value, ms: Math.round(performance.now() - startedAt) };
}
