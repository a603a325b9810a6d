import { assert, assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import { admitDevice, readDeviceCode, startDevice } from "../../lib/accounts/mod.ts";
import { getApiKey } from "../../lib/store/api_keys/mod.ts";
import { listAuditEntries } from "../../lib/store/audit/mod.ts";
import { administrator, member } from "../console/people.ts";
import { startApi, type TestApi } from "./api.ts";

async function newKey(api: TestApi, fields: Record<string, unknown> = {}) {
  const { status, body } = await api.ask("POST", "/keys", { body: { name: "ci", ...fields } });
  assertEquals(status, 201, JSON.stringify(body));
  return body;
}

Deno.test("management: a key is created with every setting, and its secret calls the gateway", async () => {
  await using api = await startApi();
  const settings = {
    group: "default",
    user_id: member.id,
    expires_at: "2030-01-02T03:04:05.000Z",
    models: ["gpt-*"],
    ip_allow_list: ["127.0.0.1", "10.0.0.0/8"],
    budgets: { day: "0.50", month: "25" },
    budget_time_zone: "europe/berlin",
    limits: { requests_per_minute: 60 },
    alert_percents: [80, 50],
    metadata: { team: "search" },
  };
  const { secret, id, created_at, secret_hint, ...rest } = await newKey(api, settings);
  assertMatch(id, /^key_/);
  assert(Date.parse(created_at) > 0);
  assertEquals(secret_hint, `${secret.slice(0, 6)}…${secret.slice(-4)}`);
  assertEquals(rest, {
    ...settings,
    name: "ci",
    enabled: true,
    previous_secret_ends_at: null,
    budgets: { day: "0.50", week: null, month: "25.00", total: null, session: null },
    budget_time_zone: "Europe/Berlin",
    limits: { requests_per_minute: 60, tokens_per_minute: null, concurrency: null },
    requests_per_window: {},
    tokens_per_window: {},
    alert_percents: [50, 80],
    origin: "console",
    device: false,
    last_used_at: null,
    user_email: member.email,
  });
  const models = await fetch(`${api.base}/v1/models`, {
    headers: { authorization: `Bearer ${secret}` },
  });
  await models.body?.cancel();
  assertEquals(models.status, 200);
});

Deno.test("management: a change of a key leaves the fields that it does not give, and null removes", async () => {
  await using api = await startApi();
  const { id } = await newKey(api, {
    models: ["a", "b"],
    budgets: { day: "1", week: "2" },
    limits: { concurrency: 3, tokens_per_minute: 9 },
    metadata: { a: "1" },
  });
  const change = {
    budgets: { day: null, total: "7.5" },
    limits: { concurrency: null },
    metadata: { b: "2" },
    models: null,
  };
  const { body } = await api.ask("PATCH", `/keys/${id}`, { body: change });
  assertEquals(body.name, "ci");
  assertEquals(body.models, null);
  assertEquals(body.budgets, {
    day: null,
    week: "2.00",
    month: null,
    total: "7.50",
    session: null,
  });
  assertEquals(body.limits, { requests_per_minute: null, tokens_per_minute: 9, concurrency: null });
  assertEquals(body.metadata, { b: "2" });
  assertEquals((await api.ask("GET", `/keys/${id}`)).body, body);
});

Deno.test("management: a key has limits of any length, at most 12, and null removes one", async () => {
  await using api = await startApi();
  const windows = { "300m": 1_000, "7d": 5_000 };
  const { id } = await newKey(api, { requests_per_window: windows, limits: { concurrency: 3 } });
  const changed = async (body: object) => await api.ask("PATCH", `/keys/${id}`, { body });
  const first = await changed({ tokens_per_window: { "24h": 9 } });
  assertEquals(first.body.requests_per_window, { "5h": 1_000, "7d": 5_000 });
  assertEquals(first.body.tokens_per_window, { "24h": 9 });
  const second = await changed({
    requests_per_window: { "5h": null },
    tokens_per_window: { "24h": null },
  });
  assertEquals(second.body.requests_per_window, { "7d": 5_000 });
  assertEquals([second.body.tokens_per_window, second.body.limits.concurrency], [{}, 3]);
  const many = Object.fromEntries(Array.from({ length: 12 }, (_, n) => [`${n + 1}m`, 1]));
  for (const wrong of [many, { "5x": 1 }, { "5h": 0 }, { "5h": 1.5 }]) {
    const { status, body } = await changed({ requests_per_window: wrong });
    assertEquals([status, body.error.code], [400, "invalid_request"], JSON.stringify(wrong));
  }
});

Deno.test("management: a key has budgets of any length, each length once, at most 12 budgets", async () => {
  await using api = await startApi();
  const made = await newKey(api, { budgets: { "24h": "1", "300m": "2", month: "9" } });
  const calendar = { day: null, week: null, month: "9.00", total: null, session: null };
  assertEquals(made.budgets, { ...calendar, "5h": "2.00", "24h": "1.00" });
  const change = { budgets: { "1d": null, "5h": "3", "7d": "20" } };
  const { body } = await api.ask("PATCH", `/keys/${made.id}`, { body: change });
  assertEquals(body.budgets, { ...calendar, "5h": "3.00", "7d": "20.00" });
  const many = Array.from({ length: 12 }, (_, at) => [`${at + 10}h`, "1"]);
  for (
    const budgets of [
      { "91d": "1" },
      { "5 h": "1" },
      { year: "1" },
      { "60m": "1", "1h": "2" },
      Object.fromEntries(many),
    ]
  ) {
    const refused = await api.ask("PATCH", `/keys/${made.id}`, { body: { budgets } });
    assertEquals(refused.status, 400, JSON.stringify(refused.body));
    assertEquals(refused.body.error.code, "invalid_request");
    assert(refused.body.error.param.startsWith("budgets"), refused.body.error.param);
  }
});

Deno.test("management: each change of a key has one audit entry, of the token", async () => {
  await using api = await startApi();
  const { id } = await newKey(api);
  await api.ask("PATCH", `/keys/${id}`, { body: { metadata: { a: "1" } } });
  for (const action of ["disable", "enable", "rotate"]) {
    assertEquals((await api.ask("POST", `/keys/${id}/${action}`)).status, 200);
  }
  assertEquals((await api.ask("DELETE", `/keys/${id}`)).status, 204);
  const { entries } = await listAuditEntries(api.store, { limit: 20 });
  const ofKey = entries.filter(({ targetId }) => targetId === id);
  assertEquals(
    ofKey.map(({ action }) => action),
    ["deleted", "rotated", "enabled", "disabled", "changed", "created"],
  );
  for (const { actorId, actorName, ip } of ofKey) {
    assertMatch(actorId, /^tok_/);
    assertEquals(actorName, `test (API token of ${administrator.email})`);
    assertEquals(ip, "127.0.0.1");
  }
});

Deno.test("management: a rotation keeps the old secret for its grace period", async () => {
  await using api = await startApi();
  const { id, secret } = await newKey(api);
  const rotated = await api.ask("POST", `/keys/${id}/rotate`, { body: { grace_seconds: 60 } });
  assertNotEquals(rotated.body.secret, secret);
  const endsMs = Date.parse(rotated.body.previous_secret_ends_at) - Date.now();
  assert(endsMs > 50_000 && endsMs <= 60_000, String(endsMs));
  await api.ask("POST", `/keys/${id}/rotate`, { body: { grace_seconds: 0 } });
  assertEquals((await getApiKey(api.store, id))?.previous, undefined);
});

Deno.test("management: keys are listed in pages, each once, by user and group", async () => {
  await using api = await startApi();
  for (let n = 0; n < 7; n++) {
    await newKey(api, { name: `k${n}`, ...(n % 2 === 0 && { user_id: member.id }) });
  }
  const seen: string[] = [];
  let path = "/keys?limit=3";
  for (let pages = 0; pages < 10; pages++) {
    const { body } = await api.ask("GET", path);
    seen.push(...body.data.map(({ name }: { name: string }) => name));
    if (body.next_cursor === null) break;
    path = `/keys?limit=3&cursor=${body.next_cursor}`;
  }
  assertEquals(seen.length, 8); // with the key of the configuration
  assertEquals(new Set(seen).size, 8);
  const ofMember = await api.ask("GET", `/keys?user_id=${member.id}&group=default`);
  assertEquals(ofMember.body.data.length, 4);
  assertEquals((await api.ask("GET", "/keys?group=none")).body.data, []);
});

for (
  const [what, body, param] of [
    ["no name", {}, "name"],
    ["an empty name", { name: " " }, "name"],
    ["an unknown field", { name: "x", colour: "red" }, "colour"],
    ["an unknown nested field", { name: "x", limits: { rpm: 1 } }, "limits.rpm"],
    ["the field __proto__", '{"name":"x","__proto__":{"enabled":false}}', "__proto__"],
    ["a nested __proto__", '{"name":"x","metadata":{"__proto__":"y"}}', "metadata.__proto__"],
    ["an unknown group", { name: "x", group: "none" }, "group"],
    ["an unknown user", { name: "x", user_id: "usr_none" }, "user_id"],
    ["a past end", { name: "x", expires_at: "2020-01-01T00:00:00Z" }, "expires_at"],
    ["no time", { name: "x", expires_at: "tomorrow" }, "expires_at"],
    ["money as a number", { name: "x", budgets: { day: 5 } }, "budgets.day"],
    ["negative money", { name: "x", budgets: { day: "-5" } }, "budgets.day"],
    ["a wrong address", { name: "x", ip_allow_list: ["10.0.0.0/33"] }, "ip_allow_list[0]"],
    ["a wrong zone", { name: "x", budget_time_zone: "Mars/Base" }, "budget_time_zone"],
    ["a zone without a budget", { name: "x", budget_time_zone: "UTC" }, "budget_time_zone"],
    ["a limit of 0", { name: "x", limits: { concurrency: 0 } }, "limits.concurrency"],
  ] as const
) {
  Deno.test(`management: a key with ${what} is refused, naming ${param}`, async () => {
    await using api = await startApi();
    const { status, body: answer } = await api.ask("POST", "/keys", { body });
    assertEquals([status, answer.error.code, answer.error.param], [400, "invalid_request", param]);
    assert(answer.error.message.length > 10, answer.error.message);
    assertEquals((await api.ask("GET", "/keys")).body.data.length, 1);
  });
}

Deno.test("management: a name that is taken, a declared key and an unknown one are refused", async () => {
  await using api = await startApi();
  const { id } = await newKey(api);
  const again = await api.ask("POST", "/keys", { body: { name: "ci" } });
  assertEquals([again.status, again.body.error.code], [409, "already_exists"]);
  const { id: other } = await newKey(api, { name: "other" });
  const renamed = await api.ask("PATCH", `/keys/${other}`, { body: { name: "ci" } });
  assertEquals([renamed.status, renamed.body.error.code], [409, "already_exists"]);
  const { body: { data } } = await api.ask("GET", "/keys");
  const declared = data.find(({ origin }: { origin: string }) => origin === "config");
  const deleted = await api.ask("DELETE", `/keys/${declared.id}`);
  assertEquals([deleted.status, deleted.body.error.code], [409, "object_protected"]);
  await api.ask("DELETE", `/keys/${id}`);
  for (const [method, path] of [["GET", ""], ["DELETE", ""], ["POST", "/rotate"]]) {
    const gone = await api.ask(method, `/keys/${id}${path}`);
    assertEquals([gone.status, gone.body.error.code], [404, "object_not_found"]);
  }
});

Deno.test("management: a device is marked, keeps its tokens at every change, and is not rotated", async () => {
  await using api = await startApi();
  const { store } = api;
  const nowMs = Date.now();
  const { userCode } = await startDevice(store, nowMs);
  const code = await readDeviceCode(store, userCode, nowMs) ?? "";
  const draft = { accountId: member.id, name: "laptop", groupId: "default", enabled: true };
  const { id = "" } = await admitDevice(store, { code, draft }, nowMs) ?? {};
  const before = await getApiKey(store, id);
  const path = `/keys/${id}`;
  const { body } = await api.ask("GET", path);
  assertEquals([body.device, body.name], [true, "laptop"]);
  const rotated = await api.ask("POST", `${path}/rotate`, { body: {} });
  assertEquals([rotated.status, rotated.body.error.code], [409, "object_protected"]);
  assertMatch(rotated.body.error.message, /it is a device.*Delete it/);
  await api.ask("PATCH", path, { body: { name: "desk", budgets: { day: "5" } } });
  await api.ask("POST", `${path}/disable`);
  await api.ask("POST", `${path}/enable`);
  const after = await getApiKey(store, id);
  assertEquals([after?.name, after?.device, after?.digest], [
    "desk",
    before?.device,
    before?.digest,
  ]);
  assertEquals((await api.ask("PATCH", path, { body: { device: false } })).status, 400);
});

Deno.test("management: no key answers for another one whose ID it has as its name", async () => {
  await using api = await startApi();
  const { body: { id } } = await api.ask("POST", "/keys", { body: { name: "ci" } });
  await api.ask("DELETE", `/keys/${id}`);
  await api.ask("POST", "/keys", { body: { name: id, user_id: "usr_member" } });
  assertEquals((await api.ask("GET", `/keys/${id}`)).status, 404);
  assertEquals((await api.ask("DELETE", `/keys/${id}`)).status, 404);
});
