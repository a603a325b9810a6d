import { parseArgs } from "node:util";
import { listRequestLogs } from "../lib/store/log/mod.ts";
import type { Store } from "../lib/store/mod.ts";
import { compose } from "../main.ts";
import { fillStore } from "./stock.ts";

/** The render time of one page on the server, in milliseconds. */
interface PageTime {
  readonly path: string;
  /** The fastest render, which a busy machine slows least. */
  readonly leastMs: number;
  readonly medianMs: number;
  readonly p95Ms: number;
  readonly bytes: number;
}

const warmUps = 5;
/** The most that a page may take: its median, by the number of calls of its account. */
const bounds = [{ calls: 100_000, ms: 20 }, { calls: 1_000_000, ms: 100 }] as const;

interface Plan {
  /** The calls of a new store. */
  readonly calls: number;
  readonly renders: number;
  /** A store on a server, which stays. */
  readonly url?: string;
}

/** Times the start, and every page that shows calls, for an account with this many calls in 30 days. */
async function timePages({ calls, renders, url }: Plan): Promise<PageTime[]> {
  const folder = await Deno.makeTempDir();
  const kv = url ?? `${folder}/pages.db`;
  const open = () => compose({ TESSERA_KV: kv, ...url && { TESSERA_SECRET: secret } });
  try {
    const { token, ...found } = await filled(await open(), calls);
    const startedAt = performance.now();
    await using tessera = disposable(await open());
    console.log(`start: ${(performance.now() - startedAt).toFixed(0)} ms`);
    const pages = await tessera.loadConsole();
    const get = (path: string) =>
      pages(new Request(address + path, { headers: { cookie: `tessera=${token}` } }), info);
    const times: PageTime[] = [];
    for (const path of pathsOf(found)) times.push(await timePage(path, renders, get));
    return times;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

type Tessera = Awaited<ReturnType<typeof compose>>;

async function filled(tessera: Tessera, calls: number) {
  await using open = disposable(tessera);
  return { ...await fillStore(open.store, calls), deep: await deepCursor(open.store) };
}

function disposable(tessera: Tessera): Tessera & AsyncDisposable {
  return Object.assign(tessera, { [Symbol.asyncDispose]: () => tessera.close() });
}

const secret = Deno.env.get("TESSERA_SECRET") ?? "the secret of this measurement";
const dayMs = 86_400_000;

/** The place of a call two weeks ago. */
async function deepCursor(store: Store): Promise<string> {
  const toMs = Date.now() - 14 * dayMs;
  const { cursors: [cursor] } = await listRequestLogs(store, { toMs, limit: 1 });
  return cursor;
}

const address = "http://localhost";
const info: Deno.ServeHandlerInfo<Deno.NetAddr> = {
  remoteAddr: { transport: "tcp", hostname: "127.0.0.1", port: 1 },
  completed: Promise.resolve(),
};

function pathsOf({ lastId, deep }: { readonly lastId: string; readonly deep: string }): string[] {
  return [
    "/console",
    "/console?period=24h",
    "/console?period=30d&by=tokens",
    "/console?period=30d&who=everyone",
    "/console?period=30d&who=everyone&by=key",
    "/console/token",
    "/console/token?who=everyone",
    "/console/token/key_0",
    "/console/log",
    "/console/log?who=everyone",
    "/console/log?who=everyone&period=30d",
    "/console/log?status=failed",
    "/console/log?period=30d&model=gpt-5&key=key_3",
    `/console/log?who=everyone&period=30d&before=${encodeURIComponent(deep)}`,
    "/console/log?who=everyone&period=30d&q=nothing-of-that-name",
    `/console/log/${lastId}`,
    "/console/topup",
    "/console/pricing",
    "/console/pricing/model?name=gpt-5",
    "/console/pricing?sort=speed",
    "/console/connect",
    "/console/playground",
    "/console/account",
    "/console/admin/upstreams",
    "/console/admin/upstreams/acme",
    "/console/admin/groups",
    "/console/admin/users",
    "/console/admin/users/owner",
    "/console/admin/audit",
    "/console/pricing?show=unpriced",
    "/console/admin/codes",
    "/console/admin/settings",
  ];
}

async function timePage(
  path: string,
  renders: number,
  get: (path: string) => Promise<Response>,
): Promise<PageTime> {
  const times: number[] = [];
  let bytes = 0;
  for (let n = -warmUps; n < renders; n++) {
    const startedAt = performance.now();
    const response = await get(path);
    bytes = (await response.bytes()).length;
    if (response.status !== 200) throw new Error(`${path} answers ${response.status}`);
    if (n >= 0) times.push(performance.now() - startedAt);
  }
  times.sort((one, other) => one - other);
  const [leastMs, medianMs, p95Ms] = [0, 0.5, 0.95].map((share) =>
    times[Math.floor(renders * share)]
  );
  return { path, leastMs, medianMs, p95Ms, bytes };
}

function printPages(calls: number, times: readonly PageTime[]): void {
  console.log(`\npages with ${calls.toLocaleString("en")} calls in the log (ms on the server)`);
  console.log(
    ["page".padEnd(56), ...["least", "median", "p95", "KiB"].map((name) => name.padStart(8))].join(
      "",
    ),
  );
  for (const { path, leastMs, medianMs, p95Ms, bytes } of times) {
    const figures = [leastMs, medianMs, p95Ms].map((ms) => ms.toFixed(1).padStart(8));
    console.log(path.padEnd(56) + figures.join("") + (bytes / 1024).toFixed(0).padStart(8));
  }
}

/** The pages that take longer than they may with this many calls. */
function slowPages(calls: number, times: readonly PageTime[]): readonly PageTime[] {
  const most = bounds.find((bound) => calls <= bound.calls)?.ms ?? Infinity;
  return times.filter(({ medianMs }) => medianMs > most);
}

/** `bench/pages.ts CALLS --store URL` fills and measures a store that stays, if it has no accounts yet. */
if (import.meta.main) {
  const { values, positionals: [count = "100000"] } = parseArgs({
    allowPositionals: true,
    options: { store: { type: "string" }, renders: { type: "string", default: "40" } },
  });
  const calls = Number(count);
  const times = await timePages({ calls, renders: Number(values.renders), url: values.store });
  printPages(calls, times);
  const slow = slowPages(calls, times).map(({ path }) => path);
  if (slow.length > 0) console.log(`\nslower than they may be: ${slow.join(", ")}`);
  Deno.exit(slow.length > 0 ? 1 : 0);
}
