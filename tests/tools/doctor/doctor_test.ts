import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { openPlace } from "../../../lib/archive/mod.ts";
import { loadConfig } from "../../../lib/config.ts";
import { createUpstream } from "../../../lib/store/catalog/mod.ts";
import { openStore } from "../../../lib/store/mod.ts";
import { checkArchive } from "../../../tools/doctor/archive.ts";
import type { Check, CheckStatus } from "../../../tools/doctor/check.ts";
import { checkClients, writtenFaults } from "../../../tools/doctor/clients.ts";
import {
  checkClock,
  checkConfiguration,
  checkDeno,
  checkUpstreams,
} from "../../../tools/doctor.ts";
import { checkDisk, checkStore } from "../../../tools/doctor/store.ts";
import { archive, callAt } from "../../archive/archived_store.ts";
import { postgresPrograms, startPostgres } from "../../postgres_server.ts";
import { serveLoopback } from "../../e2e/fake_upstream.ts";
import { startGateway, testKey } from "../../e2e/gateway.ts";
import { denokvPath, startDenokv } from "../../e2e/money/denokv.ts";
import { mountSmallDisk } from "../../e2e/outage/small_disk.ts";
import { leaveRows } from "../../store/log/log_rows.ts";
import { sampleUpstream } from "../../store/samples.ts";
import { startHolder } from "../../store/store_holder.ts";
import { withMemoryStore, withTempFolder } from "../../store/temp_store.ts";
import { runTask } from "../run_task.ts";

/** The check with a status and these words in its text or its remedy. */
function assertCheck(checks: readonly Check[], status: CheckStatus, words: RegExp): void {
  const found = checks.some((check) =>
    check.status === status && words.test(`${check.name}: ${check.detail} → ${check.remedy ?? ""}`)
  );
  assert(found, `no check is ${status} and says ${words}: ${JSON.stringify(checks, null, 2)}`);
}

function configWith(file: Record<string, unknown>, env: Record<string, string> = {}) {
  return loadConfig({ TESSERA_CONFIG: "config.jsonc", ...env }, () => JSON.stringify(file));
}

Deno.test("doctor: a wrong field of the configuration, without its value", () => {
  const { config, checks } = checkConfiguration({ PORT: "seventy", TESSERA_KV: ":memory:" });
  assertEquals(config, undefined);
  assertCheck(checks, "failed", /PORT/);
  assert(!JSON.stringify(checks).includes("seventy"));
});

Deno.test("doctor: a Deno that is not the tested one, and one that does not notice disconnects", async () => {
  assertEquals((await checkDeno("2.8.2", () => Promise.resolve(true))).status, "ok");
  assertCheck([await checkDeno("2.9.1", () => Promise.resolve(true))], "warning", /2\.8\.2/);
  assertCheck([await checkDeno("2.8.2", () => Promise.resolve(false))], "failed", /npx -y deno@/);
});

const disks = [
  { freeBytes: 10 * 1024 ** 2, ms: 1, status: "failed", words: /10 MB free.*refuses all calls/ },
  { freeBytes: 500 * 1024 ** 2, ms: 1, status: "warning", words: /500 MB free/ },
  { freeBytes: 3 * 1024 ** 3, ms: 1, status: "warning", words: /deno task compact/ },
  { freeBytes: 30 * 1024 ** 3, ms: 1, status: "ok", words: /30,720 MB free/ },
  { freeBytes: 30 * 1024 ** 3, ms: 90, status: "warning", words: /90\.0 ms.*faster disk/ },
] as const;

for (const { freeBytes, ms, status, words } of disks) {
  Deno.test(`doctor: a disk with ${freeBytes} bytes free and ${ms} ms for a commit is ${status}`, () => {
    const probe = { freeBytes: () => freeBytes, commitMs: () => ms };
    assertCheck(checkDisk("data/tessera.db", 5 * 1024 ** 3, probe), status, words);
  });
}

Deno.test("doctor: a full disk, measured", async () => {
  await using disk = await mountSmallDisk(4);
  if (!disk) return;
  await disk.fill();
  assertCheck(checkDisk(`${disk.path}/tessera.db`, 0), "failed", /0 MB free/);
});

Deno.test("doctor: a store in use names the process, and one under another secret the remedy", async () => {
  await withTempFolder(async (folder) => {
    const path = `${folder}/tessera.db`;
    const holder = await startHolder(path);
    const inUse = await checkStore(configWith({}, { TESSERA_KV: path }));
    inUse.records?.close();
    assertEquals(inUse.isInUse, true);
    assertCheck(inUse.checks, "ok", new RegExp(`process ${holder.pid} uses it`));
    assertCheck(inUse.checks, "ok", /secret: it opens/);
    await holder.kill();
    await Deno.chmod(path, 0o644);
    const other = await checkStore(
      configWith({}, { TESSERA_KV: path, TESSERA_SECRET: "x".repeat(32) }),
    );
    other.records?.close();
    assertCheck(other.checks, "ok", /no gateway uses it/);
    assertCheck(other.checks, "warning", /mode 644.*chmod 600/);
    assertCheck(other.checks, "failed", /another secret.*former TESSERA_SECRET/);
  });
});

Deno.test("doctor: a lost store, and a damaged one", async () => {
  await withTempFolder(async (folder) => {
    const path = `${folder}/tessera.db`;
    const config = configWith({}, { TESSERA_KV: path });
    assertCheck((await checkStore(config)).checks, "ok", /the first start creates it/);
    (await openStore({ location: { type: "file", path } })).close();
    await Deno.writeFile(path, crypto.getRandomValues(new Uint8Array(65_536)));
    assertCheck((await checkStore(config)).checks, "failed", /damaged/);
    await Deno.remove(path);
    assertCheck((await checkStore(config)).checks, "failed", /missing or empty.*deno task restore/);
  });
});

Deno.test("doctor: a KV server that does not answer", async () => {
  const env = { TESSERA_KV: "http://127.0.0.1:1", TESSERA_SECRET: "x".repeat(32) };
  const { checks, records } = await checkStore(configWith({}, env));
  assertEquals(records, undefined);
  assertCheck(checks, "failed", /http:\/\/127\.0\.0\.1:1: it does not answer/);
});

Deno.test({
  name: "doctor: a KV server that answers, and one that refuses the token",
  ignore: denokvPath === undefined,
  fn: async () => {
    await withTempFolder(async (folder) => {
      await using server = await startDenokv(folder);
      const config = configWith({}, server.env);
      const right = await checkStore(config);
      right.records?.close();
      assert(right.checks.some(({ detail }) => detail.includes("answers within"))); // a busy machine is slow
      const token = Deno.env.get(tokenName) ?? "";
      Deno.env.set(tokenName, "another-token-0123456789");
      const { checks } = await checkStore(config).finally(() => Deno.env.set(tokenName, token));
      assertCheck(checks, "failed", /Invalid access token.*Set DENO_KV_ACCESS_TOKEN/);
    });
  },
});

const tokenName = "DENO_KV_ACCESS_TOKEN";

Deno.test({
  name: "doctor: PostgreSQL with a standby, before and after synchronous replication",
  ignore: postgresPrograms === undefined,
  fn: async () => {
    await using server = await startPostgres();
    await using _standby = await startPostgres({ follows: server });
    const url = server.url("looked_at");
    const config = configWith({}, { TESSERA_KV: url, TESSERA_SECRET: "a-secret-of-tests" });
    const early = await checkStore(config);
    assertCheck(early.checks, "failed", /the first start creates it/);
    (await openStore({ location: config.store, secret: config.secret })).close();
    const { checks, records } = await checkStore(config);
    records?.close();
    assertCheck(
      checks,
      "ok",
      /^postgres: PostgreSQL \d+.* holds [\d,]+ bytes, and \d+ of \d+ connections/,
    );
    assertCheck(checks, "warning", /1 standby servers follow without synchronous replication/);
    await server.run("ALTER SYSTEM SET synchronous_standby_names = '*'");
    await server.run("SELECT pg_reload_conf()");
    const followed = await checkStore(config);
    followed.records?.close();
    assert(!JSON.stringify(followed.checks).includes("without synchronous"));
    assert(!JSON.stringify([early, followed].map((one) => one.checks)).includes("password"));
  },
});

Deno.test("doctor: looks at a store without changing it", async () => {
  await withTempFolder(async (folder) => {
    const path = `${folder}/tessera.db`;
    (await openStore({ location: { type: "file", path } })).close();
    const before = await Deno.readFile(path);
    const { records } = await checkStore(configWith({}, { TESSERA_KV: path }));
    records?.close();
    assertEquals(await Deno.readFile(path), before);
  });
});

/** A vendor's server that accepts one key, on a clock of its own. */
function startVendor(aheadMs = 0) {
  return serveLoopback((request) => {
    const isRight = request.headers.get("authorization") === "Bearer right";
    const body = isRight
      ? { object: "list", data: [{ id: "m", object: "model" }] }
      : { error: { message: "Incorrect API key" } };
    const date = new Date(Date.now() + aheadMs).toUTCString();
    return Response.json(body, { status: isRight ? 200 : 401, headers: { date } });
  });
}

function upstreamAt(base: string, apiKeys: readonly string[]) {
  return { id: "up", endpoints: { "chat-completions": `${base}/v1` }, apiKeys };
}

Deno.test("doctor: each credential of an upstream is tested, and none is shown", async () => {
  await using vendor = startVendor();
  const config = configWith({
    upstreams: [upstreamAt(vendor.base, ["right", "wrong-credential"])],
  });
  const { checks } = await checkUpstreams(config, undefined, {});
  assertCheck(checks, "ok", /upstream up, credential 1: .*lists 1 models/);
  assertCheck(checks, "failed", /credential 2: .*401.*Incorrect API key.*rejected the key/);
  assert(!JSON.stringify(checks).includes("wrong-credential"));
});

Deno.test("doctor: an upstream of the console is tested from the store of a running gateway", async () => {
  await using vendor = startVendor();
  await withTempFolder(async (folder) => {
    const path = `${folder}/tessera.db`;
    const store = await openStore({ location: { type: "file", path } });
    const endpoints = { "chat-completions": `${vendor.base}/v1` };
    await createUpstream(store, sampleUpstream({ endpoints, credentials: ["right"] }));
    const config = configWith({ allowPrivateUpstreams: true }, { TESSERA_KV: path });
    const { records } = await checkStore(config);
    const { checks } = await checkUpstreams(config, records, {});
    records?.close();
    store.close();
    assertCheck(checks, "ok", /upstream acme: .*lists 1 models/);
  });
});

Deno.test("doctor: with every upstream disabled, only the built-in model answers", async () => {
  const upstreams = [{ ...upstreamAt("http://127.0.0.1:9", ["right"]), enabled: false }];
  const { checks } = await checkUpstreams(configWith({ upstreams }), undefined, {});
  assertCheck(checks, "skipped", /none is enabled: only the built-in model, tessera-echo, answers/);
});

Deno.test("doctor: an upstream that nobody answers for", async () => {
  const closed = startVendor();
  await closed[Symbol.asyncDispose]();
  const config = configWith({ upstreams: [upstreamAt(closed.base, ["right"])] });
  const { checks } = await checkUpstreams(config, undefined, {});
  assertCheck(checks, "failed", /Connection refused: check the host and port/);
});

Deno.test("doctor: a clock that differs from the upstreams' clocks", async () => {
  const moment = { wallMs: 1_000, steadyMs: 1_000 };
  const during = { before: moment, now: moment };
  for (
    const { aheadMs, status, words } of [
      { aheadMs: 0, status: "ok", words: /agrees/ },
      { aheadMs: 20_000, status: "warning", words: /(19|20) s behind.*timedatectl/ },
      { aheadMs: -600_000, status: "failed", words: /60[01] s ahead of/ },
    ] as const
  ) {
    await using vendor = startVendor(aheadMs);
    const config = configWith({ upstreams: [upstreamAt(vendor.base, ["right"])] });
    const { clocksAheadMs } = await checkUpstreams(config, undefined, {});
    assertCheck([checkClock(clocksAheadMs, during)], status, words);
  }
  const jumped = { before: moment, now: { wallMs: 9_000, steadyMs: 1_100 } };
  assertCheck([checkClock([0], jumped)], "warning", /jumped by 8 s/);
  assertCheck([checkClock([], during)], "skipped", /no upstream/);
});

const addresses = [
  { baseUrl: "http://gateway.example.com", status: "warning", words: /without encryption.*https/ },
  { baseUrl: "https://gateway.example.com/v1/v1", status: "failed", words: /version twice/ },
  { baseUrl: "http://localhost:1", status: "warning", words: /this machine only.*publicUrl/ },
] as const;

for (const { baseUrl, status, words } of addresses) {
  Deno.test(`doctor: the base URL ${baseUrl}`, () => {
    const config = configWith({ trustedProxies: ["10.0.0.1"] });
    assertCheck(writtenFaults(new URL(baseUrl), config), status, words);
  });
}

for (
  const baseUrl of ["http://gateway:8000", "http://10.0.0.9", "https://gateway.example.com/v1"]
) {
  Deno.test(`doctor: nothing is wrong with the base URL ${baseUrl}`, () => {
    assertEquals(writtenFaults(new URL(baseUrl), configWith({})), []);
  });
}

Deno.test("doctor: an address that is no URL, and one where nothing answers", async () => {
  const config = configWith({});
  const isInUse = true;
  assertCheck(await checkClients(config, { baseUrl: "gateway", isInUse }), "failed", /not a URL/);
  const silent = { baseUrl: "http://127.0.0.1:1", isInUse };
  assertCheck(await checkClients(config, silent), "failed", /no gateway answers.*uses the store/);
  assertCheck(await checkClients(config, { ...silent, isInUse: false }), "skipped", /Start one/);
});

Deno.test("doctor: a gateway that answers, without and with a key, and a server that is none", async () => {
  await using gateway = await startGateway();
  const config = configWith({});
  const at = { baseUrl: gateway.base, isInUse: true };
  const checks = await checkClients(config, at);
  assertCheck(checks, "ok", new RegExp(`Messages: ${gateway.base} `));
  assertCheck(checks, "ok", /is ready/);
  assertCheck(checks, "skipped", /needs a key/);
  assertCheck(await checkClients(config, { ...at, key: testKey }), "ok", /models lists 1 models/);
  assertCheck(await checkClients(config, { ...at, key: "sk-wrong" }), "failed", /401.*key in KEY/);
  await using other = serveLoopback(() => new Response("It works"));
  assertCheck(
    await checkClients(config, { ...at, baseUrl: other.base }),
    "failed",
    /not as Tessera/,
  );
});

const odd = [
  { path: "/readyz", answer: () => new Response("", { status: 500 }), words: /readyz.*500/ },
  { path: "/v1/models", answer: () => new Response("<html>"), words: /models.*something else/ },
  { path: "/v1/models", answer: () => Response.json({}), words: /models answers.*something else/ },
  { path: "/readyz", answer: () => new Response(brokenBody()), words: /readyz does not answer/ },
] as const;

/** A body whose connection breaks. */
function brokenBody(): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream({
    start: (controller) => controller.enqueue(new Uint8Array(1)),
    pull: () => Promise.reject(new Error("broken")),
  });
}

for (const { path, answer, words } of odd) {
  Deno.test(`doctor: an odd answer of ${path} is one failed check: ${words}`, async () => {
    await using server = serveLoopback((request) => {
      const { pathname } = new URL(request.url);
      if (pathname === path) return answer();
      return pathname === "/healthz" ? new Response("ok\n") : Response.json({ data: [] });
    });
    const checks = await checkClients(configWith({}), { baseUrl: server.base, isInUse: true });
    assertCheck(checks, "failed", words);
    assertEquals(checks.filter(({ status }) => status === "failed").length, 1);
  });
}

Deno.test("doctor: a gateway on all addresses whose clients have no address", async () => {
  const isInUse = false;
  for (const host of ["0.0.0.0", "::"]) {
    const config = configWith({}, { HOST: host, PORT: "1" });
    assertCheck(await checkClients(config, { isInUse }), "warning", /all addresses.*Set publicUrl/);
    const baseUrl = "https://gateway.invalid";
    const named = await checkClients(configWith({ publicUrl: baseUrl }, { HOST: host }), {
      baseUrl,
      isInUse,
    });
    assertEquals(named.filter(({ status }) => status === "warning"), []);
  }
});

Deno.test("doctor: a gateway that answers beside a store that does not exist", async () => {
  await using gateway = await startGateway();
  const at = { baseUrl: gateway.base, isInUse: false };
  const there = await checkClients(configWith({}), at);
  assertEquals(there.filter(({ status }) => status === "warning"), []);
  const missing = await checkClients(configWith({}), { ...at, isMissing: true });
  assertCheck(missing, "warning", /uses another store than TESSERA_KV names/);
  const env = { TESSERA_KV: `${await Deno.realPath(".")}/none/tessera.db` };
  assertEquals((await checkStore(configWith({}, env))).isMissing, true);
});

Deno.test("doctor: the log's archive, its missing and changed files, and its missing configuration", async () => {
  await withTempFolder(async (folder) => {
    const path = `${folder}/archive`;
    const config = configWith({ logArchive: { folder: path, keepDays: 1 } });
    await withMemoryStore(async (store) => {
      assertCheck(await checkArchive(config, store), "ok", /can be written/);
      await leaveRows(store, [callAt(1, 3), callAt(2, 4)]);
      await archive(store, openPlace({ type: "folder", path }));
      assertCheck(await checkArchive(config, store), "ok", /11\/18.* as it was written/);
      assertCheck(await checkArchive(configWith({}), store), "warning", /2 archived days are not/);
      const [day] = [...Deno.readDirSync(`${path}/2026/11/18`)];
      await Deno.writeTextFile(`${path}/2026/11/18/${day.name}`, "other");
      assertCheck(await checkArchive(config, store), "failed", /11\/18.*other content/);
      await Deno.remove(`${path}/2026/11/17`, { recursive: true });
      assertCheck(await checkArchive(config, store), "failed", /1 of 2 files are missing.*11\/17/);
      await Deno.remove(path, { recursive: true });
      await Deno.writeTextFile(path, "a file, no folder");
      assertCheck(await checkArchive(config, undefined), "failed", /cannot write in .*archive/);
    });
  });
});

Deno.test("deno task doctor: prints each check with its remedy, and exits with 1 if one failed", async () => {
  await using vendor = startVendor();
  await withTempFolder(async (folder) => {
    const write = (key: string) => {
      const upstreams = [upstreamAt(vendor.base, [key])];
      return Deno.writeTextFile(`${folder}/config.jsonc`, JSON.stringify({ upstreams }));
    };
    const env = {
      PORT: "1",
      TESSERA_KV: `${folder}/tessera.db`,
      TESSERA_CONFIG: `${folder}/config.jsonc`,
    };
    await write("right");
    const right = await runTask("doctor.ts", ["--json"], env);
    assertEquals([right.code, right.stderr], [0, ""], right.stdout);
    assertCheck(JSON.parse(right.stdout).checks, "ok", /upstream up/);
    await write("wrong");
    const wrong = await runTask("doctor.ts", [], env);
    assertEquals([wrong.code, wrong.stderr], [1, ""], wrong.stdout);
    assertMatch(wrong.stdout, /^failed {3}upstream up: .*\n {9}→ The upstream rejected the key/m);
    const broken = await runTask("doctor.ts", [], { ...env, PORT: "x" });
    assertEquals(broken.code, 1);
    assertStringIncludes(broken.stdout, "other checks");
  });
});
