import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import stringWidth from "string-width";
import { startUpstream } from "../e2e/fake_upstream.ts";
import { startGateway, testKey } from "../e2e/gateway.ts";
import { startApi, type TestApi } from "../management/api.ts";
import { later } from "../waiting.ts";
import { runCli } from "./console_terminal.ts";

/** Runs commands against a whole gateway, with a home of their own. */
async function withGateway(
  run: (
    cli: (...args: string[]) => ReturnType<typeof runCli>,
    scene: { readonly api: TestApi; readonly home: string },
  ) => Promise<void>,
): Promise<void> {
  await using api = await startApi();
  const home = await Deno.makeTempDir();
  const env = { TESSERA_URL: api.base, TESSERA_TOKEN: api.secret, HOME: home };
  await run((...args) => runCli(args, { env }), { api, home });
  await Deno.remove(home, { recursive: true });
}

Deno.test("cli: a key is created, listed, changed, rotated and deleted", () =>
  withGateway(async (cli) => {
    const made = await cli("keys", "create", "--name", "ci", "--budget", "5/day", "--json");
    assertEquals(made.code, 0, made.err);
    const { id, secret, budgets } = JSON.parse(made.out);
    assertMatch(secret, /^sk-/);
    assertEquals(budgets.day, "5.00");
    const shown = await cli("keys", "create", "--name", "构建");
    assertMatch(shown.out, /^secret +sk-/m);
    const { out } = await cli("keys");
    assertStringIncludes(out, "ci");
    assert(!out.includes(secret), "a secret is printed once");
    const [head, ...rows] = out.split("\n");
    const column = stringWidth(head.slice(0, head.indexOf("GROUP")));
    for (const row of rows) assertEquals(widthBefore(row, " default "), column, row);
    assertEquals((await cli("keys", "update", id, "--budgets", "day=none,month=9")).code, 0);
    const read = await cli("keys", "get", id, "--json");
    assertEquals(JSON.parse(read.out).budgets, {
      day: null,
      week: null,
      month: "9.00",
      total: null,
      session: null,
    });
    assert(JSON.parse((await cli("keys", "rotate", id, "--json")).out).secret !== secret);
    assertEquals(await cli("keys", "delete", id), { code: 0, out: "Done", err: "" });
    const gone = await cli("keys", "get", id);
    assertEquals([gone.code, gone.out], [1, ""]);
    assertMatch(gone.err, /\(404, req_/);
  }));

/** The columns that the terminal shows before a word, and after the space that begins it. */
function widthBefore(line: string, word: string): number {
  return stringWidth(line.slice(0, line.indexOf(word) + 1));
}

Deno.test("cli: pages are followed to the end", () =>
  withGateway(async (cli) => {
    for (let number = 0; number < 5; number++) await cli("keys", "create", "--name", `k${number}`);
    const first = await cli("keys", "list", "--limit", "2");
    assertMatch(first.err, /^More: --cursor \S+, or --all$/);
    const all = await cli("keys", "list", "--limit", "2", "--all", "--json");
    assert(JSON.parse(all.out).data.length >= 5);
  }));

Deno.test("cli: each kind of failure has its exit code", () =>
  withGateway(async (_, { api, home }) => {
    const env = { TESSERA_URL: api.base, HOME: home };
    const code = async (more: Record<string, string>, ...args: string[]) =>
      (await runCli(args, { env: { ...env, ...more } })).code;
    assertEquals(await code({}, "keys"), 2, "no token");
    assertEquals(await code({ TESSERA_TOKEN: "sk-admin-none" }, "keys"), 4);
    const reader = await api.newToken({ scopes: ["keys:read"] });
    assertEquals(await code({ TESSERA_TOKEN: reader }, "keys"), 0);
    assertEquals(await code({ TESSERA_TOKEN: reader }, "keys", "create", "--name", "x"), 4);
    const away = { TESSERA_TOKEN: reader, TESSERA_URL: "http://127.0.0.1:1" };
    assertEquals(await code(away, "keys"), 3);
  }));

Deno.test("cli: login keeps the token in a private file, for its gateway alone", () =>
  withGateway(async (_, { api, home }) => {
    const env = { HOME: home };
    const login = await runCli(["login"], { env, answers: [`${api.base}/v1/`, api.secret] });
    assertEquals(login.code, 0, login.err);
    assert(!login.out.includes(api.secret));
    const path = `${home}/.config/tessera/cli.json`;
    assertEquals((await Deno.stat(path)).mode! & 0o777, 0o600);
    assertEquals((await runCli(["keys"], { env })).code, 0);
    let sent = false;
    const send = () => (sent = true, Promise.resolve(new Response()));
    const other = ["keys", "--gateway", "https://evil.example"];
    assertEquals([(await runCli(other, { env, send })).code, sent], [2, false]);
    assertEquals((await runCli(["logout"], { env })).out, "Logged out");
    assertEquals((await runCli(["keys"], { env })).code, 2);
    const wrong = await runCli(["login"], { env, answers: [api.base, "sk-admin-none"] });
    assertEquals(wrong.code, 4);
    assertEquals(await Deno.stat(path).catch(() => "none"), "none");
  }));

Deno.test("cli: webhooks are managed like keys", () =>
  withGateway(async (cli) => {
    const url = "https://hooks.example.com/tessera";
    const types = "call.failed,key.created";
    const made = await cli("webhooks", "create", "--url", url, "--types", types, "--json");
    assertEquals(made.code, 0, made.err);
    const { id } = JSON.parse(made.out);
    assertStringIncludes((await cli("webhooks")).out, url);
    assertEquals((await cli("webhooks", "deliveries", "list", id)).err, "None");
    assertEquals((await cli("webhooks", "delete", id)).code, 0);
  }));

Deno.test("cli: calls are printed as they end, and added up", () =>
  withGateway(async (cli, { api }) => {
    const tail = cli("calls", "tail", "--count", "2", "--interval", "0.05", "--json");
    await later(300); // the first look remembers the calls before it
    for (let call = 0; call < 2; call++) {
      const response = await fetch(`${api.base}/v1/chat/completions`, {
        method: "POST",
        headers: { authorization: `Bearer ${testKey}` },
        body: JSON.stringify({ model: "tessera-echo", messages: [{ role: "user", content: "x" }] }),
      });
      await response.body?.cancel();
    }
    const { code, out, err } = await tail;
    assertEquals(code, 0, err);
    const calls = out.split("\n").map((line) => JSON.parse(line));
    assertEquals(calls.map(({ model }) => model), ["tessera-echo", "tessera-echo"]);
    assert(calls[0].id < calls[1].id, "oldest first");
    const usage = await cli("usage", "--by", "model");
    assertMatch(
      usage.out,
      /^NAME +ID +REQUESTS +FAILURES +INPUT TOKENS +OUTPUT TOKENS +COST +MARGIN\ntessera-echo +tessera-echo +2 +0 /,
    );
    assertStringIncludes((await cli("calls")).out, "completed");
    assertStringIncludes((await cli("settings")).out, "site_name");
    assertStringIncludes((await cli("calls", "get", calls[0].id)).out, calls[0].id);
  }));

Deno.test("cli: an upstream is created, tested and deleted", () =>
  withGateway(async (_, { home }) => {
    await using upstream = startUpstream(() => Response.json({ data: [{ id: "m" }] }));
    await using api = await startApi({ allowPrivateUpstreams: true });
    const env = { TESSERA_URL: api.base, TESSERA_TOKEN: api.secret, HOME: home };
    const cli = (...args: string[]) => runCli(args, { env });
    const made = await cli(
      ...["upstreams", "create", "--id", "vendor", "--credentials", "sk-secret"],
      ...["--endpoints", JSON.stringify({ "chat-completions": upstream.base })],
      ...["--models", '[{"id":"m"}]'],
    );
    assertEquals(made.code, 0, made.err);
    assert(!made.out.includes("sk-secret"));
    assertStringIncludes((await cli("upstreams")).out, "vendor");
    assertEquals((await cli("upstreams", "test", "vendor")).code, 0);
    assertStringIncludes((await cli("models")).out, "m");
    assertEquals((await cli("upstreams", "delete", "vendor")).code, 0);
  }));

Deno.test("cli: doctor checks the gateway of the folder, without a token", async () => {
  const folder = await Deno.makeTempDir();
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", "cli.ts", "doctor", "--json"],
    cwd: new URL("../..", import.meta.url),
    env: { TESSERA_KV: `${folder}/tessera.db`, NO_COLOR: "1" },
  }).output();
  const { checks } = JSON.parse(new TextDecoder().decode(stdout));
  assert(checks.length > 3, new TextDecoder().decode(stderr));
  const failed = checks.some(({ status }: { readonly status: string }) => status === "failed");
  assertEquals(code, failed ? 1 : 0);
  await Deno.remove(folder, { recursive: true });
});

Deno.test("cli: keys child signs without a gateway, and the gateway accepts what it printed", async () => {
  const child = (...args: string[]) =>
    runCli(["keys", "child", ...args], {
      env: { TESSERA_KEY: testKey },
      send: () => Promise.reject(new Error("offline")),
    });
  const { code, out, err } = await child("reviewer", "--budget", "0.50", "--for", "30m");
  assertEquals([code, err], [0, ""]);
  await using gateway = await startGateway();
  const usage = await fetch(`${gateway.base}/v1/usage`, {
    headers: { authorization: `Bearer ${out}` },
  });
  const { session, limits: [limit] } = await usage.json();
  assertEquals([session, limit.owner, limit.limit], ["reviewer", "child", "0.5"]);
  for (const time of ["25h", "0m", "1441m", "1d", "soon"]) {
    const refused = await child("reviewer", "--for", time);
    assertEquals([refused.code, refused.out], [2, ""]);
  }
  const keyless = await runCli(["keys", "child", "reviewer"]);
  assertEquals([keyless.code, keyless.err], [2, "Set TESSERA_KEY to the API key"]);
});
