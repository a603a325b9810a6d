import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { canRun } from "../../can_run.ts";
import { removeFolder } from "../../store/temp_store.ts";

const main = new URL("../../../main.ts", import.meta.url).pathname;
const hasCurl = await canRun("curl");
if (!hasCurl) console.log("No curl found: the test that pastes the printed call is skipped");

/** Starts the gateway on any free port and hands over what it printed. */
async function started(
  folder: string,
  run: (printed: string) => Promise<void>,
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  const process = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", main],
    env: { PORT: "0", TESSERA_KV: `${folder}/data/tessera.db`, ...env },
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const reader = process.stdout.getReader();
  try {
    const { value } = await reader.read();
    await run(new TextDecoder().decode(value)); // everything is printed at once
  } finally {
    process.kill("SIGTERM");
    await reader.cancel();
    assertEquals((await process.status).code, 0);
  }
}

Deno.test({
  name:
    "a first start prints a set-up link, a key and a call that works when pasted; a second no key",
  ignore: !hasCurl,
  fn: async () => {
    const folder = await Deno.makeTempDir();
    await started(folder, async (printed) => {
      const link = /http:\S+\/setup\/\S+/.exec(printed)?.[0] ?? "";
      const page = await fetch(link);
      assertEquals(page.status, 200);
      assertStringIncludes(await page.text(), 'autocomplete="new-password"');

      const pasted = printed.slice(printed.indexOf("export BASE_URL"));
      const { stdout } = await new Deno.Command("sh", {
        args: ["-c", `${pasted.replace("curl ", "curl -s ")}\n`],
      }).output();
      const answer = JSON.parse(new TextDecoder().decode(stdout));
      assertStringIncludes(answer.choices[0].message.content, "hello");
    });
    await started(folder, (printed) => {
      assertMatch(printed, /\/setup\//, "nobody has set it up yet");
      assert(!printed.includes("sk-") && !printed.includes("curl"), "the key was shown once");
      assertMatch(printed, /export BASE_URL=http:.*\n.*export MODEL=tessera-echo\n/);
      return Promise.resolve();
    });
    await removeFolder(folder);
  },
});

Deno.test("the set-up link can be opened from another machine: it is at publicUrl, or a line says how", async () => {
  const folder = await Deno.makeTempDir();
  await started(folder, (printed) => {
    const port = /http:\/\/127\.0\.0\.1:(\d+)\/setup\//.exec(printed)?.[1];
    const said = `use http://${Deno.hostname()}:${port}, or run ssh -L ${port}:127.0.0.1:${port} `;
    assertStringIncludes(printed, said);
    return Promise.resolve();
  }, { HOST: "0.0.0.0" });
  const file = `${folder}/config.json`;
  await Deno.writeTextFile(file, JSON.stringify({ publicUrl: "https://gateway.example.com" }));
  await started(folder, (printed) => {
    assertMatch(printed, /: {2}https:\/\/gateway\.example\.com\/setup\/\S+\n\n/);
    return Promise.resolve();
  }, { HOST: "0.0.0.0", TESSERA_CONFIG: file });
  await removeFolder(folder);
});

Deno.test("a start on a busy port creates no store, whose first key nobody would see", async () => {
  const folder = await Deno.makeTempDir();
  using other = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = other.addr;
  const { code, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", main],
    env: { HOST: "127.0.0.1", PORT: `${port}`, TESSERA_KV: `${folder}/tessera.db` },
  }).output();
  const said = new TextDecoder().decode(stderr);
  assertMatch(said, new RegExp(`^Cannot listen on 127.0.0.1:${port}: the port is in use`));
  assertEquals(code, 1);
  assertEquals(await Array.fromAsync(Deno.readDir(folder)), []);
  await Deno.remove(folder);
});
