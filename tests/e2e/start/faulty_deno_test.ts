import { assertStringIncludes } from "@std/assert";
import { canRun } from "../../can_run.ts";
import { removeFolder } from "../../store/temp_store.ts";
import { until } from "../../waiting.ts";
import { type FakeUpstream, startUpstream } from "../fake_upstream.ts";
import { oneUpstream, testKey } from "../gateway.ts";
import { ofSize } from "../load/sized_body.ts";
import { freePort } from "../server_process.ts";

const main = new URL("../../../main.ts", import.meta.url).pathname;
/** Does not notice callers that disconnect. */
const faulty = "deno@2.9.6";
const isThere = await canRun("npx", ["-y", faulty, "--version"]);
if (!isThere) console.log(`${faulty} is not to be had: the warning of a faulty Deno is not tried`);

Deno.test({
  name: "a start on a Deno that does not notice disconnects warns and names the command to run",
  ignore: !isThere,
  fn: async () => {
    const folder = await Deno.makeTempDir();
    const process = new Deno.Command(await faultyPath(), {
      args: ["run", "-A", main],
      env: { PORT: "0", TESSERA_KV: `${folder}/tessera.db` },
      stdout: "null",
      stderr: "piped",
    }).spawn();
    try {
      const said = await untilSaid(process.stderr, "task start");
      assertStringIncludes(said, '"deno":"2.9.6","command":"npx -y deno@2.8.2 task start"');
    } finally {
      process.kill("SIGTERM");
      await process.status;
      await removeFolder(folder);
    }
  },
});

const keepAliveMs = 1_000;
/** The time from the first keep-alive to the end of the upstream's work. */
const noticedMsMax = 3_000;

Deno.test({
  name:
    "on a Deno that does not notice disconnects, a silent stream's first keep-alive notices them",
  ignore: !isThere,
  fn: async () => {
    await using upstream = startUpstream(() => new Promise<Response>(() => {}));
    await using server = await startFaulty(upstream);
    const connection = await Deno.connect({ hostname: "127.0.0.1", port: server.port });
    await connection.write(streamingCall());
    await until(() => upstream.seen.length === 1, "the upstream was not called");
    connection.close();
    let isNoticed = false;
    void upstream.seen[0].aborted.then(() => isNoticed = true);
    await until(() => isNoticed, "the upstream works on", keepAliveMs + noticedMsMax);
  },
});

/** A call of the size at which the faulty versions notice nothing. */
function streamingCall(): Uint8Array<ArrayBuffer> {
  const messages = [{ role: "user", content: "hi" }];
  const body = JSON.stringify(
    ofSize("chat-completions", { model: "m", stream: true, messages }, 20_000),
  );
  const head = [
    "POST /v1/chat/completions HTTP/1.1",
    "host: 127.0.0.1",
    `authorization: Bearer ${testKey}`,
    "content-type: application/json",
    `content-length: ${new TextEncoder().encode(body).length}`,
  ];
  return new TextEncoder().encode(`${head.join("\r\n")}\r\n\r\n${body}`);
}

/** A gateway on the faulty Deno, with a store in memory. */
async function startFaulty({ base }: FakeUpstream): Promise<AsyncDisposable & { port: number }> {
  const folder = await Deno.makeTempDir();
  const port = freePort();
  await Deno.writeTextFile(
    `${folder}/config.jsonc`,
    JSON.stringify({
      keys: [{ name: "test", group: "default", value: testKey }],
      limits: { sseKeepAliveMs: keepAliveMs },
      ...oneUpstream({ "chat-completions": base }),
    }),
  );
  const process = new Deno.Command(await faultyPath(), {
    args: ["run", "-A", main],
    env: {
      PORT: `${port}`,
      TESSERA_KV: ":memory:",
      TESSERA_CONFIG: `${folder}/config.jsonc`,
    },
    stdout: "null",
    stderr: "null",
  }).spawn();
  const isReady = async () => {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined);
    await answer?.body?.cancel();
    return answer?.ok ?? false;
  };
  await until(isReady, "the gateway does not start", 30_000);
  return {
    port,
    [Symbol.asyncDispose]: async () => {
      process.kill("SIGKILL");
      await process.status;
      await removeFolder(folder);
    },
  };
}

async function faultyPath(): Promise<string> {
  return JSON.parse(await outputOf(["eval", "console.log(JSON.stringify(Deno.execPath()))"]));
}

async function outputOf(args: string[]): Promise<string> {
  const { stdout } = await new Deno.Command("npx", { args: ["-y", faulty, ...args] }).output();
  return new TextDecoder().decode(stdout);
}

async function untilSaid(stream: ReadableStream<Uint8Array>, words: string): Promise<string> {
  const text = new TextDecoder();
  let said = "";
  for await (const chunk of stream) {
    said += text.decode(chunk, { stream: true });
    if (said.includes(words)) break;
  }
  return said;
}
