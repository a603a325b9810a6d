import { version } from "../../../lib/version.ts";
import { assertEquals, assertStringIncludes } from "@std/assert";
import { until } from "../../waiting.ts";
import { withStoreFolder } from "../money/place.ts";
import { freePort } from "../server_process.ts";

/** `deno task start:parallel`, as an operator starts it. */

const root = new URL("../../..", import.meta.url).pathname;

function task(env: Record<string, string>): Deno.ChildProcess {
  return new Deno.Command(Deno.execPath(), {
    args: ["task", "--quiet", "start:parallel"],
    cwd: root,
    env: { DENO_JOBS: "2", ...env },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
}

async function firstPrinted({ stdout }: Deno.ChildProcess, wanted: string): Promise<string> {
  let printed = "";
  const reader = stdout.pipeThrough(new TextDecoderStream()).getReader();
  while (!printed.includes(wanted)) {
    const { value, done } = await reader.read();
    if (done) throw new Error(`The server ended, and printed ${printed}`);
    printed += value;
  }
  await reader.cancel();
  return printed;
}

Deno.test("start:parallel listens on HOST and PORT, prints them once with $MODEL, and ends with 0 at SIGTERM", () =>
  withStoreFolder(async (folder) => {
    const port = freePort();
    const process = task({
      HOST: "127.0.0.2",
      PORT: `${port}`,
      TESSERA_KV: `${folder}/data/tessera.db`,
      // With an administrator there is no set-up link: every start prints the addresses.
      TESSERA_ADMIN_EMAIL: "root@example.com",
      TESSERA_ADMIN_PASSWORD: "correct horse battery",
    });
    try {
      const printed = await firstPrinted(process, "export MODEL=tessera-echo\n");
      assertEquals(printed.match(/^Tessera .*$/gm), [
        `Tessera ${version} is running at http://127.0.0.2:${port}`,
      ]);
      await until(async () => {
        const answer = await fetch(`http://127.0.0.2:${port}/healthz`).catch(() => undefined);
        await answer?.body?.cancel();
        return answer?.status === 200;
      }, "nobody listens at the printed address");
    } finally {
      process.kill("SIGTERM");
      await process.stderr.cancel();
    }
    assertEquals((await process.status).code, 0);
  }));

Deno.test("start:parallel refuses a PORT that is none, as start does", async () => {
  const { code, stderr } = await task({ PORT: "eighty" }).output();
  assertEquals(code, 1);
  assertStringIncludes(new TextDecoder().decode(stderr), "PORT");
});

Deno.test("start:parallel on a busy port creates no store, whose first key nobody would see", () =>
  withStoreFolder(async (folder) => {
    using other = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    const { port } = other.addr;
    const env = { HOST: "127.0.0.1", PORT: `${port}`, TESSERA_KV: `${folder}/data/tessera.db` };
    const { code, stderr } = await task(env).output();
    const expected = `Cannot listen on 127.0.0.1:${port}: the port is in use`;
    assertStringIncludes(new TextDecoder().decode(stderr), expected);
    assertEquals(code, 1);
    const found = await Array.fromAsync(Deno.readDir(`${folder}/data`)).catch(() => []);
    assertEquals(found, []);
  }));
