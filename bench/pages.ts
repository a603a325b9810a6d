import { compose } from "../main.ts";
import { fillForPages } from "./pages_stock.ts";

/** The render time of one page on the server, in milliseconds. */
export interface PageTime {
  readonly path: string;
  /** The fastest render, which a busy machine slows least. */
  readonly leastMs: number;
  readonly medianMs: number;
  readonly p95Ms: number;
  readonly bytes: number;
}

const warmUps = 5;
const renders = 40;
/** The most that a page may take: its median, by the number of calls of its account. */
const bounds = [{ calls: 100_000, ms: 20 }, { calls: 1_000_000, ms: 100 }] as const;

/** Times every page that shows calls, for an account with this many calls in the last 30 days. */
export async function timePages(calls: number): Promise<PageTime[]> {
  const folder = await Deno.makeTempDir();
  const tessera = await compose({ TESSERA_KV: `${folder}/pages.db` });
  try {
    const { token, lastId } = await fillForPages(tessera.store, calls);
    await tessera.directory.refresh();
    const pages = await tessera.loadConsole();
    const get = (path: string) =>
      pages(new Request(address + path, { headers: { cookie: `tessera=${token}` } }), info);
    const times: PageTime[] = [];
    for (const path of pathsOf(lastId)) times.push(await timePage(path, get));
    return times;
  } finally {
    await tessera.close();
    await Deno.remove(folder, { recursive: true });
  }
}

const address = "http://localhost";
const info: Deno.ServeHandlerInfo<Deno.NetAddr> = {
  remoteAddr: { transport: "tcp", hostname: "127.0.0.1", port: 1 },
  completed: Promise.resolve(),
};

function pathsOf(callId: string): string[] {
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
    `/console/log/${callId}`,
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

async function timePage(path: string, get: (path: string) => Promise<Response>): Promise<PageTime> {
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

export function printPages(calls: number, times: readonly PageTime[]): void {
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

if (import.meta.main) {
  const calls = Number(Deno.args[0] ?? 100_000);
  const times = await timePages(calls);
  printPages(calls, times);
  const slow = slowPages(calls, times).map(({ path }) => path);
  if (slow.length > 0) console.log(`\nslower than they may be: ${slow.join(", ")}`);
  Deno.exit(slow.length > 0 ? 1 : 0);
}
