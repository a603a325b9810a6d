import { AsyncLocalStorage } from "node:async_hooks";
import { compose } from "../main.ts";

/** Store reads and writes of one call. */
interface Trips {
  /** Before the first byte of its answer. */
  readsBefore: number;
  commitsBefore: number;
  /** From the first byte to the end of the answer. */
  readsAfter: number;
  commitsAfter: number;
}

/** Store reads and writes of many calls, measured after warm-up. */
interface StoreTrips {
  readonly calls: number;
  /** Totals over all calls, which run one after the other. */
  readonly trips: Trips;
  /** All commits while 64 calls run concurrently, and share commits. */
  readonly sharedCommits: number;
  readonly sharedCalls: number;
}

interface Trace extends Trips {
  begun: boolean;
}

const traces = new AsyncLocalStorage<Trace>();
const key = "sk-trips-0123456789abcdefghij";
const reads = ["get", "getMany", "list"] as const;

/** Runs calls against a gateway in this process, with a key that has a budget and limits. */
export async function countStoreTrips(calls: number): Promise<StoreTrips> {
  using counter = watchKv();
  const upstream = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, answer);
  const config = await Deno.makeTempFile({ suffix: ".jsonc" });
  await Deno.writeTextFile(config, JSON.stringify(configFor(upstream.addr.port)));
  const gateway = await compose({ TESSERA_KV: ":memory:", TESSERA_CONFIG: config });
  await Deno.remove(config);
  for (let call = 0; call < 50; call++) await callOnce(gateway.fetch); // warms up caches and leases
  const trips: Trips = { readsBefore: 0, commitsBefore: 0, readsAfter: 0, commitsAfter: 0 };
  for (let call = 0; call < calls; call++) add(trips, await callOnce(gateway.fetch));
  const before = counter.commits;
  for (let round = 0; round < calls / 64; round++) {
    await Promise.all(Array.from({ length: 64 }, () => callOnce(gateway.fetch)));
  }
  const sharedCommits = counter.commits - before;
  await gateway.close();
  await upstream.shutdown();
  return { calls, trips, sharedCommits, sharedCalls: Math.ceil(calls / 64) * 64 };
}

/** Attributes store operations to the call that causes them, and background work to none. */
function watchKv(): Disposable & { readonly commits: number } {
  const kv = Deno.Kv.prototype;
  const originals = Object.fromEntries(reads.map((name) => [name, kv[name]]));
  const commit = Deno.AtomicOperation.prototype.commit;
  let commits = 0;
  for (const name of reads) {
    Object.assign(kv, {
      [name](this: Deno.Kv, ...args: never[]) {
        count("reads");
        return Reflect.apply(originals[name], this, args);
      },
    });
  }
  Deno.AtomicOperation.prototype.commit = function () {
    commits++;
    count("commits");
    return commit.call(this);
  };
  return {
    get commits() {
      return commits;
    },
    [Symbol.dispose]: () => {
      Object.assign(kv, originals);
      Deno.AtomicOperation.prototype.commit = commit;
    },
  };
}

function count(what: "reads" | "commits"): void {
  const trace = traces.getStore();
  if (!trace) return;
  trace[`${what}${trace.begun ? "After" : "Before"}`]++;
}

function add(sum: Trips, trips: Trips): void {
  for (const name of Object.keys(sum) as (keyof Trips)[]) sum[name] += trips[name]; // its own keys
}

type Fetch = Awaited<ReturnType<typeof compose>>["fetch"];

/** Makes one streamed call and reads it to the end. */
async function callOnce(fetch: Fetch): Promise<Trips> {
  const trace: Trace = {
    readsBefore: 0,
    commitsBefore: 0,
    readsAfter: 0,
    commitsAfter: 0,
    begun: false,
  };
  await traces.run(trace, async () => {
    const response = await fetch(request(), info);
    const reader = response.body?.getReader();
    for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
      trace.begun = true;
    }
  });
  return trace;
}

const info: Deno.ServeHandlerInfo<Deno.NetAddr> = {
  remoteAddr: { transport: "tcp", hostname: "127.0.0.1", port: 1 },
  completed: Promise.resolve(),
};

function request(): Request {
  return new Request("http://127.0.0.1/v1/chat/completions", {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({
      model: "m",
      stream: true,
      stream_options: { include_usage: true },
      messages: [{ role: "user", content: "Hello" }],
    }),
  });
}

function answer(): Response {
  const chunk = (fields: object) =>
    `data: ${
      JSON.stringify({ id: "c", object: "chat.completion.chunk", model: "m", ...fields })
    }\n\n`;
  const text = [
    ...["Hel", "lo", "!"].map((content) => chunk({ choices: [{ index: 0, delta: { content } }] })),
    chunk({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] }),
    chunk({ choices: [], usage: { prompt_tokens: 8, completion_tokens: 3, total_tokens: 11 } }),
    "data: [DONE]\n\n",
  ].join("");
  return new Response(text, { headers: { "content-type": "text/event-stream" } });
}

function configFor(port: number): object {
  return {
    upstreams: [{
      id: "up",
      endpoints: { "chat-completions": `http://127.0.0.1:${port}/v1` },
      models: ["m"],
    }],
    models: [{ id: "m", price: { input: 3, output: 15 } }],
    keys: [{
      name: "trips",
      value: key,
      budget: { usd: 1_000_000, period: "month" },
      limits: { requestsPerMinute: 10_000_000, tokensPerMinute: 1_000_000_000, concurrency: 1_000 },
    }],
  };
}

if (import.meta.main) printTrips(await countStoreTrips(1_000));

function printTrips({ calls, trips, sharedCommits, sharedCalls }: StoreTrips): void {
  const each = (count: number) => (count / calls).toFixed(3);
  console.log(
    `store, ${calls} streamed calls one after another, of a key with a budget and limits:`,
  );
  console.log(
    `  before the first byte: ${each(trips.readsBefore)} reads, ${
      each(trips.commitsBefore)
    } commits a call`,
  );
  console.log(
    `  until the end:         ${each(trips.readsAfter)} reads, ${
      each(trips.commitsAfter)
    } commits a call`,
  );
  console.log(
    `  64 at a time: ${
      (sharedCommits / sharedCalls).toFixed(3)
    } commits a call, everything counted`,
  );
}
