import { assert, assertEquals, assertMatch } from "@std/assert";
import { until } from "../waiting.ts";
import { freePort } from "../e2e/server_process.ts";
import { deployEnv } from "./deploy_env.ts";

/** The start-up notices of an app on Deno Deploy, whose bound address nobody can open. */

const root = new URL("../..", import.meta.url).pathname;
/** Longer than an isolate waits for its first request. */
const waitMs = 15_000;

Deno.test("deploy.ts prints the set-up link of the first request's domain, and not of a platform's check", () =>
  withApp(async (port, printed) => {
    await until(async () => await askedAs(port, "127.0.0.1") === 200, "it does not start", waitMs);
    assert(!printed().includes("/setup/"));
    await askedAs(port, "tessera.example.com");
    await until(() => printed().includes("/setup/"), "it prints no set-up link");
    assertMatch(printed(), / {2}https:\/\/tessera\.example\.com\/setup\/[\w-]{20,}\n/);
    assert(!printed().includes("127.0.0.1"));
  }));

Deno.test("deploy.ts prints the set-up link without a request too, and names no local address", () =>
  withApp(async (_port, printed) => {
    await until(() => printed().includes("/setup/"), "it prints no set-up link", waitMs);
    assertMatch(printed(), /https:\/\/YOUR-APP\.deno\.net\/setup\/[\w-]{20,}\n/);
    assert(!printed().includes("127.0.0.1"));
  }));

Deno.test("deploy.ts prints the first key before it stops, if it is stopped before its first request", () =>
  withApp(async (port, printed, stop) => {
    await until(async () => await askedAs(port, "127.0.0.1") === 200, "it does not start", waitMs);
    assertEquals(printed(), "");
    await stop();
    assertMatch(printed(), /\bsk-[\w-]{20,}/);
  }));

/** Runs an app with an empty store in memory. */
async function withApp(
  run: (port: number, printed: () => string, stop: () => Promise<void>) => Promise<void>,
): Promise<void> {
  const port = freePort();
  const process = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "deploy.ts"],
    cwd: root,
    env: {
      ...deployEnv,
      PORT: `${port}`,
      HOST: "127.0.0.1",
      TESSERA_KV: ":memory:",
      TESSERA_SECRET: "a-secret-of-tests",
    },
    stdout: "piped",
    stderr: "null",
  }).spawn();
  let text = "";
  const reading = (async () => {
    for await (const part of process.stdout.pipeThrough(new TextDecoderStream())) text += part;
  })();
  const end = async (signal: Deno.Signal) => {
    process.kill(signal);
    await process.status;
    await reading;
  };
  let isStopped = false;
  const stop = () => {
    isStopped = true;
    return end("SIGTERM");
  };
  try {
    await run(port, () => text, stop);
  } finally {
    if (!isStopped) await end("SIGKILL");
  }
}

/** The status of a request for this host; undefined while nobody listens. */
async function askedAs(port: number, host: string): Promise<number | undefined> {
  const connection = await Deno.connect({ hostname: "127.0.0.1", port }).catch(() => undefined);
  if (connection === undefined) return undefined;
  using _ = connection;
  const request = `GET /healthz HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`;
  await connection.write(new TextEncoder().encode(request));
  const [line] = (await new Response(connection.readable).text()).split("\r\n");
  return Number(line.split(" ")[1]);
}
