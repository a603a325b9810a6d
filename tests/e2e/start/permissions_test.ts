import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { permissionFlags } from "../../../tools/start_arguments.ts";
import { withStoreFolder } from "../money/place.ts";
import { freePort } from "../server_process.ts";

/** The permissions of `deno task start`, tried on real processes. */

const root = new URL("../../..", import.meta.url).pathname;

/** Starts the task on a store and hands over its address and the notices that it printed. */
async function withTask(
  env: Record<string, string>,
  test: (base: string, printed: string) => Promise<void>,
): Promise<void> {
  const port = freePort();
  const process = new Deno.Command(Deno.execPath(), {
    args: ["task", "--quiet", "start"],
    cwd: root,
    env: { PORT: `${port}`, ...env },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const errors = new Response(process.stderr).text();
  const reader = process.stdout.getReader();
  try {
    const { value } = await reader.read(); // everything is printed at once
    if (value === undefined) throw new Error(`The gateway did not start: ${await errors}`);
    await test(`http://127.0.0.1:${port}`, new TextDecoder().decode(value));
  } finally {
    process.kill("SIGTERM");
    await reader.cancel();
    assertEquals((await process.status).code, 0);
  }
  assertEquals((await errors).includes("NotCapable"), false, await errors);
}

Deno.test("deno task start: set-up, console, documents, metrics, a call and a stream need no more than its permissions", () =>
  withStoreFolder((folder) =>
    withTask({ TESSERA_KV: `${folder}/new/tessera.db` }, async (
      base,
      printed,
    ) => {
      const login = await fetch(`${base}/login`);
      assertEquals(login.status, 200);
      await login.body?.cancel();

      const cookie = await setUp(base, /\/setup\/\S+/.exec(printed)?.[0] ?? "");
      for (const path of ["/console/token", "/console/log", "/docs/how-to/set-a-budget"]) {
        const page = await fetch(`${base}${path}`, { headers: { cookie } });
        await page.body?.cancel();
        assertEquals([path, page.status], [path, 200]);
      }
      const key = /sk-[\w-]+/.exec(printed)?.[0] ?? "";
      for (const stream of [false, true]) {
        const answer = await fetch(`${base}/v1/chat/completions`, {
          method: "POST",
          headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
          body: JSON.stringify({
            model: "tessera-echo",
            messages: [{ role: "user", content: "a word" }],
            stream,
          }),
        });
        assertEquals(answer.status, 200);
        assertStringIncludes(await answer.text(), stream ? "data: [DONE]" : "a word");
      }
      const metrics = await (await fetch(`${base}/metrics`)).text();
      assertStringIncludes(metrics, "process_open_fds");
      const { mode } = await Deno.stat(`${folder}/new/secret`);
      assertEquals((mode ?? 0) & 0o077, 0);
    })
  ));

/** Creates the administrator and returns the session's cookie. */
async function setUp(base: string, path: string): Promise<string> {
  const done = await fetch(`${base}${path}`, {
    method: "POST",
    headers: { origin: base, "sec-fetch-site": "same-origin" },
    body: new URLSearchParams({ email: "root@example.com", password: "correct horse battery" }),
    redirect: "manual",
  });
  await done.body?.cancel();
  assertEquals([done.status, done.headers.get("location")], [303, "/console/welcome"]);
  return done.headers.getSetCookie().map((line) => line.split(";")[0]).join("; ");
}

/** Runs a program with the gateway's permissions; each attempt prints what became of it. */
const attempts = {
  "write elsewhere": `Deno.writeTextFileSync(FOLDER + "/elsewhere", "")`,
  "write a source": `Deno.writeTextFileSync("main.ts", "", { append: true })`,
  "write the built console": `Deno.writeTextFileSync("_fresh/server.js", "", { append: true })`,
  "read elsewhere": `Deno.readTextFileSync("/etc/passwd")`,
  "read another process": `Deno.readTextFileSync("/proc/1/environ")`,
  "run a program": `new Deno.Command(Deno.execPath()).outputSync()`,
  "load a library": `Deno.dlopen("libc.so.6", {})`,
  "read system information": `Deno.networkInterfaces()`,
} as const;

Deno.test("deno task start: everything else is refused, and other variables count as not set", () =>
  withStoreFolder(async (folder) => {
    await Deno.mkdir(`${folder}/data`);
    const program = `const FOLDER = ${JSON.stringify(folder)};
      const outcome = (attempt) => { try { attempt(); return "done"; } catch (error) { return error.name; } };
      Deno.writeTextFileSync(FOLDER + "/data/allowed", "");
      console.log(JSON.stringify([
        Deno.env.get("OTHER_SECRET") ?? "not set", Deno.env.get("TESSERA_KV"),
        ${Object.values(attempts).map((code) => `outcome(() => ${code})`).join(",")}
      ]));`;
    const TESSERA_KV = `${folder}/data/tessera.db`;
    const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: [
        "run",
        ...permissionFlags({ TESSERA_KV }),
        `data:text/javascript,${encodeURIComponent(program)}`,
      ],
      cwd: root,
      env: { OTHER_SECRET: "a secret of another program", TESSERA_KV },
    }).output();
    const text = new TextDecoder().decode(stdout);
    assert(text !== "", new TextDecoder().decode(stderr));
    const [other, kv, ...outcomes] = JSON.parse(text);
    assertEquals([other, kv], ["not set", TESSERA_KV]);
    assertEquals(
      Object.fromEntries(Object.keys(attempts).map((name, at) => [name, outcomes[at]])),
      Object.fromEntries(Object.keys(attempts).map((name) => [name, "NotCapable"])),
    );
  }));
