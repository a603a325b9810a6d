import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { version } from "../../lib/version.ts";
import { packageName } from "../../tools/release/npm_package.ts";
import { canRun } from "../can_run.ts";
import { complaintsOf, findChromium, launch } from "../e2e/browser/chromium.ts";
import { install, type Installed, type Running } from "./installed.ts";

const hasNpm = await canRun("npm");
if (!hasNpm) console.log("No npm found: the package is not tested");
const chromium = findChromium();
if (!chromium) console.log("No Chromium found: the package's console is not opened");

const email = "mira@example.com";
const password = "correct horse battery staple";
const megabytesMax = 116;

/** An address below the base URL, with the body of a first call. */
const firstCalls = {
  "/v1/chat/completions": { messages: [{ role: "user", content: "hello" }] },
  "/v1/responses": { input: "hello" },
  "/v1/messages": { max_tokens: 100, messages: [{ role: "user", content: "hello" }] },
  "/v1beta/models/tessera-echo:generateContent": { contents: [{ parts: [{ text: "hello" }] }] },
};

Deno.test({
  name:
    "npm package: installs into an empty folder, serves, keeps its data, and runs every command",
  ignore: !hasNpm,
  sanitizeOps: false, // of the browser
  sanitizeResources: false,
  fn: async (context) => {
    await using installed = await install();
    await context.step("holds little but Deno", () => assertSize(installed));
    const first = await installed.start();
    const base = /BASE_URL=(\S+)/.exec(first.printed)?.[1] ?? "";
    const key = /KEY=(\S+)/.exec(first.printed)?.[1] ?? "";
    try {
      await context.step("answers soon", () => assertSoon(first, 60_000));
      await context.step("answers in all four formats", () => assertAnswers(base, key));
      await context.step("serves console and documents", () => assertPages(first.printed, base));
    } finally {
      await assertStops(first, "SIGTERM");
    }
    await context.step("starts again with its data, and stops at Ctrl-C", async () => {
      const second = await installed.start();
      await assertAnswers(base, key).finally(() => assertStops(second, "SIGINT"));
      assertSoon(second, 15_000);
    });
    await context.step("runs every operator's task", () => assertTasks(installed));
    await context.step("writes nothing else", () => {
      const names = [...Deno.readDirSync(installed.folder)].map(({ name }) => name).sort();
      assertEquals(names, ["data", "node_modules", "package-lock.json", "package.json"]);
    });
  },
});

Deno.test("deno task release: refuses a tree with changes in one line", async () => {
  const folder = await Deno.makeTempDir();
  const root = new URL("../../", import.meta.url).pathname;
  await new Deno.Command("git", { args: ["init", "--quiet", folder] }).output();
  await Deno.writeTextFile(`${folder}/new.ts`, "");
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--config", `${root}tests/deno.json`, `${root}tools/release.ts`],
    cwd: folder,
  }).output();
  await Deno.remove(folder, { recursive: true });
  const text = new TextDecoder();
  assertEquals(
    [code, text.decode(stdout), text.decode(stderr)],
    [1, "", "Cannot release: new.ts is not committed. Commit all changes first\n"],
  );
});

async function assertSize({ folder, installMs }: Installed): Promise<void> {
  const { stdout } = await new Deno.Command("du", { args: ["-sm", folder] }).output();
  const megabytes = parseInt(new TextDecoder().decode(stdout));
  console.log(`Installed in ${(installMs / 1000).toFixed(1)} s: ${megabytes} MB`);
  assert(megabytes <= megabytesMax, `${megabytes} MB`);
}

function assertSoon({ readyMs }: Running, withinMs: number): void {
  console.log(`First answer after ${(readyMs / 1000).toFixed(1)} s`);
  assert(readyMs <= withinMs, `${readyMs} ms`);
}

async function assertStops(running: Running, signal: Deno.Signal): Promise<void> {
  const { code, signal: killedBy } = await running.stop(signal);
  assertEquals([code, killedBy], [0, null]);
}

async function assertAnswers(base: string, key: string): Promise<void> {
  for (const [path, body] of Object.entries(firstCalls)) {
    const answer = await fetch(base + path, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ model: "tessera-echo", ...body }),
    });
    assertStringIncludes(await answer.text(), "hello", path);
    assertEquals(answer.status, 200);
  }
}

/** Sets up the administrator as the printed link asks for, and looks at pages of every kind. */
async function assertPages(printed: string, base: string): Promise<void> {
  const link = /http:\S+\/setup\/\S+/.exec(printed)?.[0] ?? "";
  const { status, headers } = await fetch(link, {
    method: "POST",
    headers: { origin: base },
    body: new URLSearchParams({ email, password }),
    redirect: "manual",
  });
  assertEquals([status, headers.get("location")], [303, "/console/welcome"]);
  for (const path of ["/docs", "/docs/how-to/back-up", "/openapi.json"]) {
    const page = await fetch(base + path);
    assert(!(await page.text()).includes("deno task backup"), path);
    assertEquals(page.status, 200, path);
  }
  const upgrade = await (await fetch(`${base}/docs/how-to/upgrade.md`)).text();
  assertStringIncludes(upgrade, "docker exec tessera /bin/deno task backup");
  const service = await (await fetch(`${base}/docs/how-to/install-with-systemd.md`)).text();
  assertStringIncludes(service, "`deno task start:installed`");
  if (chromium) await assertConsole(chromium, base);
}

async function assertConsole(executable: string, base: string): Promise<void> {
  const browser = await launch(executable);
  try {
    const page = await browser.newPage();
    const complaints = complaintsOf(page);
    await page.goto(`${base}/login`);
    await page.type("#email", email);
    await page.type("#password", password);
    await Promise.all([page.waitForNavigation(), page.keyboard.press("Enter")]);
    for (const path of ["/console", "/console/playground", "/console/admin/settings"]) {
      const answer = await page.goto(base + path, { waitUntil: "networkidle2" });
      assertEquals(answer?.status(), 200, path);
    }
    assertStringIncludes(await page.$eval("main", ({ textContent }) => textContent ?? ""), version);
    assertEquals(complaints, []);
  } finally {
    await browser.close();
  }
}

/** The output of each task, on the store of the calls above. */
const tasks: readonly (readonly [args: readonly string[], says: RegExp, code?: number])[] = [
  [["--version"], new RegExp(`^${version}\n$`)],
  [["--help"], /Commands: cli, doctor/],
  [["unknown"], /^Unknown command unknown/, 2],
  [["cli", "--version"], new RegExp(`^${version}\n$`)],
  [["cli", "models", "list"], /No API token/, 2],
  [["doctor"], /ok {7}deno: .*\n.*ok {7}store: data\/tessera.db/s],
  [["audit"], /^8 calls, 0 differences/],
  [["log", "--help"], new RegExp(`^npx ${packageName} log prints calls`)],
  [["log"], /(.*tessera-echo.*\n){8}/],
  [["grant", email, "5", "for", "tests"], new RegExp(`^Added \\$5 to the balance of ${email}`)],
  [["codes", "5", "2"], /^(\S+\n){2}$/],
  [["password", "nobody@example.com"], /^No account/, 1],
  [["password", email], /assword/, 1], // it asks a terminal
  [["backup", "data/copy.db"], /^Copied data\/tessera.db to data\/copy.db/],
  [["restore", "data/copy.db"], /^Restored data\/tessera.db/],
  [["export", "data/all.jsonl"], /^Exported \d+ entries/],
  [["import", "data/all.jsonl"], /it is not empty/, 1],
  [["import", "litellm", "--help"], new RegExp(`npx ${packageName} import litellm CONFIG`)],
  [["compact"], /^Compacted data\/tessera.db/],
];

async function assertTasks({ run }: Installed): Promise<void> {
  for (const [args, says, expected = 0] of tasks) {
    const { code, out, said } = await run(...args);
    assertMatch(out + said, says, args.join(" "));
    assertEquals([args.join(" "), code], [args.join(" "), expected]);
  }
}
