import { assert, assertEquals } from "@std/assert";
import { listAuditEntries } from "../../lib/store/audit/mod.ts";
import { getModel, getUpstream } from "../../lib/store/catalog/mod.ts";
import { startUpstream } from "../e2e/fake_upstream.ts";
import { chatAnswer } from "../formats/whole_answer.ts";
import { startApi } from "./api.ts";

const secret = "sk-upstream-0123456789-very-secret";
const other = "sk-upstream-other-9876543210";

const acme = {
  id: "acme",
  endpoints: { "chat-completions": "http://127.0.0.1:9/v1/" },
  credentials: [secret],
  models: [{ id: "acme-*" }, { id: "large", upstream_model: "acme/large" }],
  groups: ["default"],
  priority: 3,
  weight: 2,
  timeouts: { first_byte_ms: 12_500 },
  auth: { header: "X-Key", prefix: "Token" },
  messages_version: "2023-06-01",
  automatic_caching: false,
  websocket: true,
  retry: false,
  own_compaction: false,
};

const bedrock = {
  id: "aws",
  base_url: "http://127.0.0.1:9",
  cloud: { surface: "bedrock", region: "eu-central-1", betas: ["context-1m-*"] },
  credentials: [
    JSON.stringify({ type: "aws", accessKeyId: "AKIASAMPLE", secretAccessKey: secret }, null, 2),
  ],
};

Deno.test("management: an upstream in a cloud takes a credential source, and moves within it", async () => {
  await using api = await startApi();
  const made = await api.ask("POST", "/upstreams", { body: bedrock });
  assertEquals(made.status, 201, JSON.stringify(made.body));
  assertEquals(made.body.cloud, bedrock.cloud);
  assertEquals(made.body.endpoints.messages, "http://127.0.0.1:9/anthropic");
  assert(!JSON.stringify(made.body).includes(secret));
  const stored = await getUpstream(api.store, "aws");
  assertEquals(stored?.credentials, [JSON.stringify(JSON.parse(bedrock.credentials[0]))]);
  const { body } = await api.ask("PATCH", "/upstreams/aws", {
    body: { cloud: { region: "us-east-1", betas: null } },
  });
  assertEquals(body.cloud, { surface: "bedrock", region: "us-east-1" });
  const google = '{"type": "google_metadata"}';
  const { body: more } = await api.ask("POST", "/upstreams/aws/credentials", {
    body: { credentials: [google] },
  });
  assertEquals(more.credentials.length, 2);
});

Deno.test("management: stored credentials follow no new address without the scope *", async () => {
  await using api = await startApi();
  await api.ask("POST", "/upstreams", { body: acme });
  const token = await api.newToken({ scopes: ["upstreams:write"] });
  const moveTo = (url: string | null, secret = token, format = "chat-completions") =>
    api.ask("PATCH", "/upstreams/acme", { body: { endpoints: { [format]: url } }, token: secret });
  for (const url of ["http://127.0.0.1:10/v1", "http://localhost:9/v1", "https://127.0.0.1:9/v1"]) {
    for (const format of ["chat-completions", "messages"]) {
      const { status, body } = await moveTo(url, token, format);
      const expected = [403, "scope_missing", `endpoints.${format}`];
      assertEquals([status, body.error?.code, body.error?.param], expected, url);
    }
  }
  assertEquals((await getUpstream(api.store, "acme"))?.endpoints, {
    "chat-completions": "http://127.0.0.1:9/v1",
  });
  assertEquals((await moveTo("http://127.0.0.1:9/v2")).status, 200);
  assertEquals((await moveTo("http://127.0.0.1:10/v1", api.secret)).status, 200);
  const { body: { credentials: [{ id }] } } = await api.ask("GET", "/upstreams/acme");
  await api.ask("DELETE", `/upstreams/acme/credentials/${id}`, { token });
  assertEquals((await moveTo("http://127.0.0.1:11/v1")).status, 200);
});

Deno.test("management: an upstream is created with every setting, and no answer has its credentials", async () => {
  await using api = await startApi();
  const made = await api.ask("POST", "/upstreams", { body: acme });
  assertEquals(made.status, 201, JSON.stringify(made.body));
  const { credentials, timeouts, health, ...rest } = made.body;
  assertEquals(rest, {
    id: "acme",
    enabled: true,
    preset: null,
    cloud: null,
    endpoints: { "chat-completions": "http://127.0.0.1:9/v1" },
    models: [{ id: "acme-*", upstream_model: null }, { id: "large", upstream_model: "acme/large" }],
    groups: ["default"],
    priority: 3,
    weight: 2,
    auth: { header: "x-key", prefix: "Token" },
    messages_version: "2023-06-01",
    automatic_caching: false,
    websocket: true,
    retry: false,
    own_compaction: false,
    costs: null,
    origin: "console",
  });
  assertEquals([credentials.length, timeouts.first_byte_ms, health.state], [1, 12_500, "healthy"]);
  assertEquals((await getUpstream(api.store, "acme"))?.credentials, [secret]);
  const added = await api.ask("POST", "/upstreams/acme/credentials", {
    body: { credentials: [other] },
    headers: { "idempotency-key": "add" },
  });
  assertEquals(added.body.credentials.length, 2);
  const answers = [
    made,
    added,
    await api.ask("GET", "/upstreams"),
    await api.ask("GET", "/upstreams/acme"),
    await api.ask("GET", "/audit"),
    await api.ask("PATCH", "/upstreams/acme", { body: { priority: 1 } }),
    await api.ask("POST", "/upstreams/acme/test"),
  ];
  for (const { body } of answers) {
    for (const text of [secret, other]) assert(!JSON.stringify(body).includes(text));
  }
});

Deno.test("management: a change of an upstream leaves the rest, and its credentials", async () => {
  await using api = await startApi();
  const { body: before } = await api.ask("POST", "/upstreams", { body: acme });
  const change = {
    endpoints: { messages: "http://127.0.0.1:9" },
    auth: null,
    timeouts: { idle_ms: 2_000 },
    automatic_caching: true,
    websocket: false,
    own_compaction: null,
  };
  const { status, body } = await api.ask("PATCH", "/upstreams/acme", { body: change });
  assertEquals([status, body], [200, {
    ...before,
    endpoints: { ...before.endpoints, messages: "http://127.0.0.1:9" },
    auth: null,
    timeouts: { ...before.timeouts, idle_ms: 2_000 },
    automatic_caching: true,
    websocket: false,
    own_compaction: null,
  }]);
  assertEquals((await getUpstream(api.store, "acme"))?.ownCompaction, undefined);
  assertEquals((await getUpstream(api.store, "acme"))?.credentials, [secret]);
  const { body: alone } = await api.ask("PATCH", "/upstreams/acme", {
    body: { endpoints: { "chat-completions": null } },
  });
  assertEquals(alone.endpoints, { messages: "http://127.0.0.1:9" });
});

Deno.test("management: costs of an upstream are set, kept by other changes and taken away", async () => {
  await using api = await startApi();
  const costs = {
    factor: 0.8,
    prices: { large: { input: 1, output: 2, regions: { us: 1.1 } } },
    credentials: { "1a2b3c4d": { factor: 0.5 } },
  };
  const made = await api.ask("POST", "/upstreams", { body: { ...acme, costs } });
  assertEquals([made.status, made.body.costs], [201, costs]);
  await api.ask("PATCH", "/upstreams/acme", { body: { weight: 7 } });
  assertEquals((await getUpstream(api.store, "acme"))?.costs, costs);
  for (const wrong of [{ factor: -1 }, { prices: { large: { input: 1 } } }, { rate: 1 }]) {
    const { status } = await api.ask("PATCH", "/upstreams/acme", { body: { costs: wrong } });
    assertEquals(status, 400);
  }
  const { body } = await api.ask("PATCH", "/upstreams/acme", { body: { costs: null } });
  assertEquals(body.costs, null);
  assertEquals((await getUpstream(api.store, "acme"))?.costs, undefined);
});

Deno.test("management: each change of an upstream has one audit entry, of the token", async () => {
  await using api = await startApi();
  await api.ask("POST", "/upstreams", { body: acme });
  await api.ask("PATCH", "/upstreams/acme", { body: { weight: 5 } });
  for (const action of ["disable", "enable"]) await api.ask("POST", `/upstreams/acme/${action}`);
  const { body } = await api.ask("POST", "/upstreams/acme/credentials", {
    body: { credentials: [other] },
  });
  const removed = await api.ask("DELETE", `/upstreams/acme/credentials/${body.credentials[0].id}`);
  assertEquals(removed.status, 204);
  assertEquals((await getUpstream(api.store, "acme"))?.credentials, [other]);
  assertEquals((await api.ask("DELETE", "/upstreams/acme")).status, 204);
  assertEquals((await api.ask("GET", "/upstreams/acme")).status, 404);
  const { entries } = await listAuditEntries(api.store, { limit: 20 });
  assertEquals(entries.map(({ action }) => action).reverse(), [
    ...["created", "changed", "disabled", "enabled", "changed", "changed", "deleted"],
  ]);
  assert(entries.every(({ actorName }) => actorName.startsWith("test (API token of ")));
});

const wrong = [
  [{ ...acme, id: "a b" }, "id"],
  [{ ...acme, id: "x".repeat(100) }, "id"],
  [{ ...acme, preset: "nobody" }, "preset"],
  [{ ...acme, endpoints: { "chat-completions": "ftp://acme" } }, "endpoints.chat-completions"],
  [{ ...acme, endpoints: {} }, "base_url"],
  [{ ...acme, endpoints: { soap: "http://127.0.0.1" } }, "endpoints.soap"],
  [{ ...acme, credentials: ["a b"] }, "credentials"],
  [{ ...acme, credentials: ["a\nb"] }, "credentials[0]"],
  [{ ...acme, models: [{ id: "a\nb" }] }, "models[0].id"],
  [{ ...acme, models: [{ id: "x".repeat(201) }] }, "models"],
  [{ ...acme, models: [{ id: "a", alias: "b" }] }, "models[0].alias"],
  [{ ...acme, groups: ["nobody"] }, "groups"],
  [{ ...acme, weight: 0 }, "weight"],
  [{ ...acme, priority: 1.5 }, "priority"],
  [{ ...acme, timeouts: { idle_ms: 1 } }, "timeouts.idle_ms"],
  [{ ...acme, auth: { header: "a b" } }, "auth.header"],
  [{ ...acme, messages_version: "ä" }, "messages_version"],
  [{ ...bedrock, cloud: { surface: "bedrock" } }, "cloud.region"],
  [{ ...bedrock, cloud: { surface: "bedrock", region: "a/b" } }, "cloud.region"],
  [{ ...bedrock, cloud: { surface: "moon" } }, "cloud.surface"],
  [{ ...bedrock, credentials: [] }, "credentials"],
  [{ ...bedrock, credentials: ['{"type": "aws"}'] }, "credentials"],
  [{ ...acme, credentials: ['{"type": "aws_machine"}'] }, "credentials"],
] as const;

Deno.test("management: wrong upstreams are refused by the rules of the console, and name the field", async () => {
  await using api = await startApi();
  for (const [body, param] of wrong) {
    const answer = await api.ask("POST", "/upstreams", { body });
    const { message, param: found } = answer.body.error;
    assertEquals([answer.status, found], [400, param], JSON.stringify(answer.body));
    assert(message.length > param.length + 2, message);
  }
  assertEquals((await api.ask("GET", "/upstreams")).body.data, []);
  assertEquals((await listAuditEntries(api.store, { limit: 9 })).entries, []);
  await api.ask("POST", "/upstreams", { body: acme });
  const twice = await api.ask("POST", "/upstreams", { body: acme });
  assertEquals([twice.status, twice.body.error.code], [409, "already_exists"]);
});

Deno.test("management: an upstream of the configuration is read-only", async () => {
  await using api = await startApi({
    upstreams: [{ id: "fixed", endpoints: { "chat-completions": "http://127.0.0.1:9/v1" } }],
  });
  assertEquals((await api.ask("GET", "/upstreams/fixed")).body.origin, "config");
  for (
    const [method, path, body] of [
      ["PATCH", "/upstreams/fixed", { weight: 2 }],
      ["DELETE", "/upstreams/fixed", undefined],
      ["POST", "/upstreams/fixed/disable", undefined],
      ["POST", "/upstreams/fixed/credentials", { credentials: ["x"] }],
      ["POST", "/upstreams/fixed/import-models", { add: [{ upstream_model: "x" }] }],
    ] as const
  ) {
    const answer = await api.ask(method, path, { body });
    assertEquals([path, answer.status, answer.body.error.code], [path, 409, "object_protected"]);
  }
});

Deno.test("management: of two changes of an upstream with the same ETag, one is refused", async () => {
  await using api = await startApi();
  const { headers } = await api.ask("POST", "/upstreams", { body: acme });
  const etag = headers.get("etag") ?? "";
  const ask = (weight: number) =>
    api.ask("PATCH", "/upstreams/acme", { body: { weight }, headers: { "if-match": etag } });
  const answers = await Promise.all([7, 8].map(ask));
  assertEquals(answers.map(({ status }) => status).sort(), [200, 412]);
  const stale = await api.ask("DELETE", "/upstreams/acme", { headers: { "if-match": etag } });
  assertEquals(stale.status, 412);
});

Deno.test("management: an upstream is tested, its list compared, and its models imported", async () => {
  await using vendor = startUpstream(({ path }) =>
    path.endsWith("/models")
      ? Response.json({ data: [{ id: "acme/large" }, { id: "acme/new" }] })
      : Response.json(chatAnswer({ content: "OK", refusal: null }))
  );
  await using api = await startApi();
  const endpoints = { "chat-completions": `${vendor.base}/v1` };
  await api.ask("POST", "/upstreams", {
    body: { ...acme, endpoints, models: [{ id: "large", upstream_model: "acme/large" }] },
  });
  const tested = await api.ask("POST", "/upstreams/acme/test");
  assertEquals([tested.body.is_ready, tested.body.state, tested.body.models], [true, "ok", 2]);
  const listed = await api.ask("GET", "/upstreams/acme/available-models");
  const rows = listed.body.data.map((row: Record<string, string>) => [
    ...[row.upstream_model, row.status, row.served_as],
  ]);
  assertEquals(rows, [["acme/new", "new", null], ["acme/large", "known", "large"]]);
  const imported = await api.ask("POST", "/upstreams/acme/import-models", {
    body: {
      add: [{ upstream_model: "acme/new", id: "new", input_price: "1.5", output_price: "6" }],
      remove: ["large"],
    },
  });
  assertEquals(imported.body.models, [{ id: "new", upstream_model: "acme/new" }]);
  assertEquals((await getModel(api.store, "new"))?.price, { input: 1.5, output: 6 });
  const models = await api.ask("POST", "/upstreams/acme/test-models", {
    body: { models: ["new"] },
  });
  assertEquals(
    models.body.data.map(({ model, error }: Record<string, unknown>) => [model, error]),
    [
      ["new", null],
    ],
  );
  const unknown = await api.ask("POST", "/upstreams/acme/test-models", {
    body: { models: ["large"] },
  });
  assertEquals([unknown.status, unknown.body.error.param], [400, "models"]);
  const nothing = await api.ask("POST", "/upstreams/acme/import-models", { body: {} });
  assertEquals([nothing.status, nothing.body.error.param], [400, "add"]);
});
