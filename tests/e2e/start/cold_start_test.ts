import { assert, assertEquals } from "@std/assert";
import { later } from "../../waiting.ts";
import { testKey } from "../gateway.ts";
import { withStoreFolder } from "../money/place.ts";
import { freePort, startServer } from "../server_process.ts";
import { cpuTimeOf, isLinux } from "./process_cpu.ts";

/** Starts are compared with that of a bare server on the same machine, because machines differ. */
const bareServer =
  "Deno.serve({ port: Number(Deno.env.get('PORT')), onListen() {} }, () => new Response('hello'));";

const rounds = 3;

/** The first requests to a gateway, and the bare servers that one may cost. */
const requests = {
  call: { ask: call, baresMax: 24 },
  page: { ask: page, baresMax: 28 },
} as const;

Deno.test({
  name: "cold start: the first call and the first page cost the CPU time of few bare servers",
  ignore: !isLinux,
  fn: () =>
    withStoreFolder(async (folder) => {
      await cpuMsOfStart(folder, page); // creates the store and fills Deno's cache
      const bareMs = await median(() => cpuMsOfBare(folder));
      for (const [name, { ask, baresMax }] of Object.entries(requests)) {
        const ms = await median(() => cpuMsOfStart(folder, ask));
        console.log(`CPU time to the first ${name}: ${ms} ms; of a bare server ${bareMs} ms`);
        assert(ms < baresMax * bareMs, `${name}: ${ms} ms, bare: ${bareMs} ms`);
      }
    }),
});

async function median(measure: () => Promise<number>): Promise<number> {
  const values: number[] = [];
  for (let round = 0; round < rounds; round++) values.push(await measure());
  return values.sort((a, b) => a - b)[Math.floor(rounds / 2)];
}

async function cpuMsOfStart(folder: string, ask: (base: string) => Promise<void>): Promise<number> {
  const server = await startServer(folder);
  try {
    await ask(server.base);
    return await cpuTimeOf(server.process.pid);
  } finally {
    await server.stop();
  }
}

async function cpuMsOfBare(folder: string): Promise<number> {
  const program = `${folder}/bare_server.ts`;
  await Deno.writeTextFile(program, bareServer);
  const port = freePort();
  const process = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-config", program],
    env: { PORT: `${port}` },
  }).spawn();
  try {
    while (!await answers(`http://127.0.0.1:${port}`)) await later(20);
    return await cpuTimeOf(process.pid);
  } finally {
    process.kill("SIGKILL");
    await process.status;
  }
}

async function answers(base: string): Promise<boolean> {
  const answer = await fetch(base).catch(() => undefined);
  await answer?.body?.cancel();
  return answer !== undefined;
}

async function call(base: string): Promise<void> {
  const answer = await fetch(`${base}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${testKey}`, "content-type": "application/json" },
    body: JSON.stringify({
      model: "tessera-echo",
      messages: [{ role: "user", content: "hello" }],
    }),
  });
  assertEquals([answer.status, (await answer.text()).includes("hello")], [200, true]);
}

async function page(base: string): Promise<void> {
  const answer = await fetch(`${base}/login`);
  assertEquals([answer.status, (await answer.text()).includes("</html>")], [200, true]);
}
