import { assert, assertEquals } from "@std/assert";
import { later } from "../../waiting.ts";
import { testKey } from "../gateway.ts";
import { withStoreFolder } from "../money/place.ts";
import { freePort, startServer } from "../server_process.ts";
import { cpuTimeOf, isLinux } from "./process_cpu.ts";

/** Starts are compared with that of a bare server on the same machine, because machines differ. */
const bareServer =
  "Deno.serve({ port: Number(Deno.env.get('PORT')), onListen() {} }, () => new Response('hello'));";

/** The kernel counts in steps of 10 ms: several starts together are exact enough. */
const rounds = 4;

/** The bare servers that the first request may cost. */
const baresMax = { call: 24, page: 28 } as const;

Deno.test({
  name: "cold start: the first call and the first page cost the CPU time of few bare servers",
  ignore: !isLinux,
  fn: () =>
    withStoreFolder(async (folder) => {
      await cpuMsOfStart(folder, page); // creates the store and fills Deno's cache
      const ms = { bare: 0, call: 0, page: 0 };
      for (let round = 0; round < rounds; round++) { // in turn, because other load comes and goes
        ms.bare += await cpuMsOfBare(folder);
        ms.call += await cpuMsOfStart(folder, call);
        ms.page += await cpuMsOfStart(folder, page);
      }
      console.log(`CPU time in ms of ${rounds} starts: ${JSON.stringify(ms)}`);
      assert(ms.call < baresMax.call * ms.bare, `call: ${ms.call} ms, bare: ${ms.bare} ms`);
      assert(ms.page < baresMax.page * ms.bare, `page: ${ms.page} ms, bare: ${ms.bare} ms`);
    }),
});

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
