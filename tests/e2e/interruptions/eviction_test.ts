import { assert, assertEquals } from "@std/assert";
import { auditStore } from "../../../lib/audit/mod.ts";
import { listIsolates } from "../../../lib/store/isolates/mod.ts";
import { listRequestLogs, type RequestLogRow } from "../../../lib/store/log/mod.ts";
import { openStore, type Store } from "../../../lib/store/mod.ts";
import { listAllowances } from "../../../lib/store/money/mod.ts";
import { until } from "../../waiting.ts";
import { type FakeUpstream, startUpstream } from "../fake_upstream.ts";
import { testKey } from "../gateway.ts";
import { denokvPath, type DenokvServer, startDenokv } from "../money/denokv.ts";
import { paidConfig } from "../money/paid_upstream.ts";
import { withStoreFolder } from "../money/place.ts";
import { type ServerProcess, startServer } from "../server_process.ts";
import { streaming } from "./interrupted_call.ts";
import { speeches } from "./interrupted_wire.ts";

/**
 * Deno Deploy evicts an app with SIGINT, and with SIGKILL five seconds later. Neither a stream nor a
 * call whose upstream has not answered yet may be missing in the log.
 */

const secret = "a-secret-of-tests";
/** Isolates there share no port: two of them simulate two machines. */
const onDeploy = { DENO_DEPLOY: "true", DENO_TIMELINE: "production", TESSERA_SECRET: secret };
/** The time between SIGINT and SIGKILL. */
const killedAfterMs = 5_000;
/** Enough for a heartbeat to record the calls. */
const recordedMs = 3_500;
/** The other processes take an isolate for dead after 25 s of silence, and look every 10 s. */
const sweptWithinMs = 45_000;

const speech = speeches["chat-completions"];

for (const isolates of [undefined, 2]) {
  Deno.test(`evicted with SIGINT and SIGKILL, ${isolates ?? 1} isolate(s): a stream and a silent call are in the log within 5 s`, () =>
    withStoreFolder(async (folder) => {
      await using upstream = startHalfSilentUpstream();
      const server = await startServer(folder, {
        config: configFor(upstream),
        env: onDeploy,
        isolates,
      });
      await callBoth(server, upstream);
      await evict(server);
      const rows = await withStore(folder, undefined, rowsOf);
      assertEquals(rows.map(endOf), [
        ["silent", "shutting_down", "none", false],
        ["stream", "shutting_down", "counted", true],
      ]);
    }));
}

Deno.test("killed without notice: a stream and a silent call are in the log once the process is restarted", () =>
  withStoreFolder(async (folder) => {
    await using upstream = startHalfSilentUpstream();
    const options = { config: configFor(upstream), env: onDeploy };
    const server = await startServer(folder, options);
    await callBoth(server, upstream);
    await pause(recordedMs);
    await server.kill();
    const startedAt = performance.now();
    const next = await startServer(folder, options);
    assert(performance.now() - startedAt < sweptWithinMs);
    await next.kill();
    const rows = await withStore(folder, undefined, rowsOf);
    assertEquals(rows.map(endOf), interruptedRows);
  }));

Deno.test({
  name: "killed without notice: another process logs a stream and a silent call within 45 s",
  ignore: denokvPath === undefined,
  fn: () =>
    withStoreFolder(async (folder) => {
      await using upstream = startHalfSilentUpstream();
      await using kv = await startDenokv(folder);
      const options = { config: configFor(upstream), env: { ...onDeploy, ...kv.env } };
      const server = await startServer(folder, options);
      const other = await startServer(folder, { ...options, name: "other" });
      try {
        await callBoth(server, upstream);
        await pause(recordedMs);
        await server.kill();
        const rows = await withStore(folder, kv, async (store) => {
          const found = async () => {
            await pause(250);
            return (await listRequestLogs(store, { limit: 10 })).rows.length === 2;
          };
          await until(found, "the calls are not in the log", sweptWithinMs);
          await other.stop(); // returns its leases
          return await rowsOf(store);
        });
        assertEquals(rows.map(endOf), interruptedRows);
      } finally {
        await other.kill().catch(() => {}); // it has stopped
      }
    }),
});

const interruptedRows = [
  ["silent", "interrupted", "none", false],
  ["stream", "interrupted", "counted", true],
];

/** Streams the start of an answer if the caller wants a stream; else says nothing. */
function startHalfSilentUpstream(): FakeUpstream {
  return startUpstream(({ body }) =>
    JSON.parse(body).stream
      ? streaming([...speech.opening, speech.delta("Once upon a time")], false)
      : new Promise<Response>(() => {})
  );
}

function configFor(upstream: FakeUpstream) {
  return {
    ...paidConfig(upstream),
    keys: [{
      name: "test",
      value: testKey,
      budget: { usd: 1, period: "total" },
      limits: { concurrency: 10 },
    }],
  };
}

/** One stream whose first words have arrived, and one call that its upstream does not answer. */
async function callBoth({ base }: ServerProcess, { seen }: FakeUpstream): Promise<void> {
  const call = (tag: string, stream: boolean) =>
    fetch(`${base}/v1/chat/completions`, {
      method: "POST",
      headers: {
        ...{ authorization: `Bearer ${testKey}`, "content-type": "application/json" },
        "tessera-tag": tag,
      },
      body: JSON.stringify({
        model: "paid",
        messages: [{ role: "user", content: "Tell me a story." }],
        max_tokens: 50,
        stream,
      }),
    });
  call("silent", false).then((answer) => answer.text()).catch(() => {}); // the process is killed
  const stream = await call("stream", true);
  const reader = stream.body?.getReader();
  let text = "";
  while (!text.includes("Once upon")) {
    text += new TextDecoder().decode((await reader?.read())?.value);
  }
  (async () => {
    while (!(await reader?.read())?.done);
  })().catch(() => {}); // the process is killed
  await until(() => seen.length === 2, "the upstream was not called twice");
}

/** SIGINT, then SIGKILL. */
async function evict({ process }: ServerProcess): Promise<void> {
  process.kill("SIGINT");
  const timer = setTimeout(() => process.kill("SIGKILL"), killedAfterMs);
  const { code } = await process.status;
  clearTimeout(timer);
  assertEquals(code, 0, "it was killed before it had stopped");
}

async function withStore<Result>(
  folder: string,
  kv: DenokvServer | undefined,
  run: (store: Store) => Promise<Result>,
): Promise<Result> {
  const location = kv?.location ?? { type: "file" as const, path: `${folder}/tessera.db` };
  const store = await openStore({ location, secret });
  try {
    return await run(store);
  } finally {
    store.close();
  }
}

/** The rows in order of their tags, of a store that holds nothing back even before its audit. */
async function rowsOf(store: Store): Promise<readonly RequestLogRow[]> {
  const { rows } = await listRequestLogs(store, { limit: 10 });
  assertEquals(await listIsolates(store), []);
  for (const { id, allotted, spent } of await listAllowances(store)) {
    if (id.startsWith("budget")) assertEquals([id, allotted], [id, spent]);
  }
  const audit = await auditStore(store);
  assertEquals([audit.ok, audit.calls, audit.differences], [true, 2, []]);
  return rows.toSorted((a, b) => (a.tag ?? "") < (b.tag ?? "") ? -1 : 1);
}

/** The tag of a call, its error, the source of its usage, and true if it was charged. */
function endOf({ tag, errorCode, usageSource, costNanoUsd }: RequestLogRow): unknown[] {
  return [tag, errorCode, usageSource, (costNanoUsd ?? 0n) > 0n];
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
