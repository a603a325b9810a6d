import autocannon from "autocannon";
import { printPages, timePages } from "./pages.ts";
import { countStoreTrips, printTrips } from "./store_trips.ts";

/**
 * `deno task bench [--seconds N]`: compares the gateway with a bare proxy on the same machine.
 * Prints ratios, because absolute numbers depend on the machine. Rounds alternate, so that noise
 * affects both alike.
 */
const seconds = Number(Deno.args[Deno.args.indexOf("--seconds") + 1] || 3) || 3;
const rounds = 3;
const pageCalls = 100_000;
const key = "sk-bench-0123456789abcdefghij";
const here = new URL(".", import.meta.url).pathname;

interface Scenario {
  readonly name: string;
  readonly path: string;
  readonly connections: number;
  readonly body: unknown;
}

const chat = {
  model: "bench",
  messages: [{ role: "user", content: "Say something of some length, please" }],
};
const scenarios: readonly Scenario[] = [
  {
    name: "pass-through, whole, 32 connections",
    path: "/v1/chat/completions",
    connections: 32,
    body: chat,
  },
  {
    name: "pass-through, whole, 256 connections",
    path: "/v1/chat/completions",
    connections: 256,
    body: chat,
  },
  {
    name: "pass-through, streamed, 32 connections",
    path: "/v1/chat/completions",
    connections: 32,
    body: { ...chat, stream: true },
  },
  {
    name: "messages to chat-completions, whole, 32 connections",
    path: "/v1/messages",
    connections: 32,
    body: { ...chat, max_tokens: 100 },
  },
  {
    name: "messages to chat-completions, streamed, 32 connections",
    path: "/v1/messages",
    connections: 32,
    body: { ...chat, max_tokens: 100, stream: true },
  },
  ...[false, true].map((store) => ({
    name: `responses to chat-completions, whole, ${
      store ? "stored" : "not stored"
    }, 32 connections`,
    path: "/v1/responses",
    connections: 32,
    body: { model: "bench", input: chat.messages, store },
  })),
];

function freePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return listener.addr.port;
}

async function start(
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<Deno.ChildProcess> {
  const process = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", ...args],
    env,
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const reader = process.stdout.getReader();
  await reader.read(); // the server prints a line once it listens
  reader.releaseLock();
  return process;
}

async function load(
  base: string,
  { path, connections, body }: Scenario,
  duration: number,
): Promise<number> {
  const result = await autocannon({
    url: base + path,
    method: "POST",
    connections,
    duration,
    headers: { "content-type": "application/json", authorization: `Bearer ${key}` },
    body: JSON.stringify(body),
  });
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${path}: ${result.non2xx} refusals, ${result.errors} errors`);
  }
  return result.requests.average;
}

const [upstreamPort, proxyPort, gatewayPort] = [freePort(), freePort(), freePort()];
const upstream = `http://127.0.0.1:${upstreamPort}`;
const folder = await Deno.makeTempDir();
await Deno.writeTextFile(
  `${folder}/config.jsonc`,
  JSON.stringify({
    upstreams: [{
      id: "bench",
      endpoints: { "chat-completions": `${upstream}/v1` },
      apiKeys: ["x"],
      models: ["bench"],
    }],
    keys: [{ name: "bench", group: "default", value: key }],
  }),
);
const processes = [
  await start([`${here}upstream.ts`, String(upstreamPort)]),
  await start([`${here}bare_proxy.ts`, String(proxyPort), upstream]),
  await start([`${here}../main.ts`], {
    PORT: String(gatewayPort),
    TESSERA_KV: `${folder}/bench.db`,
    TESSERA_CONFIG: `${folder}/config.jsonc`,
  }),
];
try {
  console.log(
    `${"scenario".padEnd(56)} ${"bare/s".padStart(8)} ${"gateway/s".padStart(10)} ${
      "ratio".padStart(6)
    }`,
  );
  for (const scenario of scenarios) {
    const bareScenario = { ...scenario, path: "/v1/chat/completions" };
    const rates = { bare: 0, gateway: 0 };
    await load(`http://127.0.0.1:${gatewayPort}`, scenario, 1);
    for (let round = 0; round < rounds; round++) {
      rates.bare += await load(`http://127.0.0.1:${proxyPort}`, bareScenario, seconds) / rounds;
      rates.gateway += await load(`http://127.0.0.1:${gatewayPort}`, scenario, seconds) / rounds;
    }
    const ratio = (rates.gateway / rates.bare).toFixed(2);
    console.log(
      `${scenario.name.padEnd(56)} ${rates.bare.toFixed(0).padStart(8)} ${
        rates.gateway.toFixed(0).padStart(10)
      } ${ratio.padStart(6)}`,
    );
  }
} finally {
  for (const process of processes) process.kill("SIGTERM");
  await Promise.all(processes.map(async (process) => {
    await process.stdout.cancel();
    await process.status;
  }));
  await Deno.remove(folder, { recursive: true });
}
printTrips(await countStoreTrips(1_000));
printPages(pageCalls, await timePages(pageCalls));
