import { assert, assertEquals, assertThrows } from "@std/assert";
import { type Config, ConfigError, isBehindProxy, loadConfig } from "../lib/config.ts";
import { environmentNames } from "../lib/config/environment.ts";
import { limitsSchema } from "../lib/config/limits.ts";
import { presetNamed } from "../lib/upstreams/presets/mod.ts";
import { cpuTimeMs } from "./cpu_time.ts";
import { configJsonSchema } from "../tools/config_schema.ts";

const fileKey = "sk-0123456789abcdefghij";
const webhookSecret = `whsec_${"A".repeat(32)}`;

function load(file: unknown, env: Record<string, string> = {}): Config {
  const text = typeof file === "string" ? file : JSON.stringify(file);
  return loadConfig({ ...env, TESSERA_CONFIG: "tessera.jsonc" }, () => text);
}

function upstream(fields: object = {}) {
  return { id: "acme", endpoints: { "chat-completions": "https://a.test/v1" }, ...fields };
}

Deno.test("loadConfig gives every default when nothing is set", () => {
  const config = loadConfig({}, () => "");
  assertEquals(config.host, "127.0.0.1");
  assertEquals(config.port, 8000);
  assertEquals(config.store, { type: "file", path: "data/tessera.db" });
  assertEquals(config.upstreams, []);
  assertEquals(config.limits.bodyBytesMax, 33_554_432);
  assertEquals(config.limits.sseKeepAliveMs, 10_000);
  assertEquals(config.allowPrivateUpstreams, false);
  assertEquals(config.timeZone, "UTC");
  assert(!("secret" in config) && !("administrator" in config) && !("stripe" in config));
});

Deno.test("loadConfig takes time in proportion to the number of keys", () => {
  const msOf = (count: number) => {
    const keys = Array.from(
      { length: count },
      (_, at) => ({ name: `key ${at}`, value: fileKey + at }),
    );
    const text = JSON.stringify({ keys });
    const startedAt = cpuTimeMs();
    assertEquals(load(text).keys.length, count);
    return cpuTimeMs() - startedAt;
  };
  msOf(5_000);
  const [some, many] = [msOf(5_000), msOf(40_000)];
  assert(many < 24 * Math.max(some, 20), `5,000 took ${some} ms, 40,000 took ${many} ms`);
});

Deno.test("isBehindProxy knows every variable by which the runtime's client takes a proxy", () => {
  const names = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"];
  for (const name of names.flatMap((name) => [name, name.toLowerCase()])) {
    assert(isBehindProxy({ [name]: "http://127.0.0.1:1" }), name);
    assert(!isBehindProxy({ [name]: "" }), name);
  }
});

Deno.test("loadConfig takes Stripe's two secrets together", () => {
  const env = {
    STRIPE_SECRET_KEY: "rk_live_1\n",
    STRIPE_WEBHOOK_SECRET: "whsec_1",
    STRIPE_API_BASE: "http://127.0.0.1:12111",
  };
  assertEquals(load({}, env).stripe, {
    secretKey: "rk_live_1",
    webhookSecret: "whsec_1",
    apiBase: "http://127.0.0.1:12111",
  });
});

Deno.test("loadConfig wants the largest payment above the smallest", () => {
  const error = assertThrows(
    () => load({ limits: { paymentUsdMin: 50, paymentUsdMax: 20 } }),
    ConfigError,
  );
  assertEquals(error.message, "limits.paymentUsdMax must not be below limits.paymentUsdMin");
});

Deno.test("loadConfig reads a whole file with comments, commas and variables", () => {
  const text = `{
    "$schema": "./config.schema.json",
    "upstreams": [{
      "id": "acme",
      "endpoints": { "chat-completions": "https://a.test/v1/", "messages": "https://a.test" },
      "apiKeys": ["\${ACME_API_KEY}"], // one
      "models": ["acme-large", { "id": "fast", "upstreamModel": "acme-small-2" }],
      "priority": 3, "weight": 2, "groups": ["default"],
      "timeouts": { "connectMs": 1000 },
      "auth": { "header": "api-key" }, "apiVersion": "2024-01-01",
    }],
    "models": [{ "id": "acme-large", "contextWindow": 200000, "price": { "input": 3, "output": 15 } }],
    "groups": [{ "id": "default", "models": ["acme-*"], "formats": ["messages"], "priceRatio": 1.5 }],
    "keys": [{
      "name": "ci", "group": "default", "value": "\${CI_KEY}",
      "budget": { "usd": 5.25, "period": "day" },
      "limits": { "requestsPerMinute": 600 },
      "expiresAt": "2030-01-01T00:00:00Z", "ipAllowList": ["10.0.0.0/8", "::1"],
    }],
    "limits": { "attemptsMax": 2 },
    "allowPrivateUpstreams": true,
  }`;
  const config = load(text, { ACME_API_KEY: "acme-1\n", CI_KEY: fileKey });
  assertEquals(config.upstreams, [{
    id: "acme",
    endpoints: { "chat-completions": "https://a.test/v1", messages: "https://a.test" },
    credentials: ["acme-1"],
    models: [{ id: "acme-large" }, { id: "fast", upstreamModel: "acme-small-2" }],
    priority: 3,
    weight: 2,
    groups: ["default"],
    timeouts: { connectMs: 1000, firstByteMs: 600_000, idleMs: 300_000, totalMs: 3_600_000 },
    auth: { header: "api-key" },
    enabled: true,
    messagesVersion: "2024-01-01",
  }]);
  assertEquals(config.keys, [{
    name: "ci",
    groupId: "default",
    value: fileKey,
    enabled: true,
    budgets: [{ nanoUsd: 5_250_000_000n, period: "day" }],
    limits: { requestsPerMinute: 600 },
    expiresAtMs: Date.parse("2030-01-01T00:00:00Z"),
    ipAllowList: ["10.0.0.0/8", "::1"],
  }]);
  assertEquals(config.groups[0]?.priceRatio, 1.5);
  assertEquals(config.limits.attemptsMax, 2);
  assertEquals(config.allowPrivateUpstreams, true);
});

Deno.test("loadConfig reads credential sources as objects and as the text of a file", () => {
  const keys = { type: "aws", accessKeyId: "AKIA1", secretAccessKey: "secret" };
  const google =
    '{\n  "type": "authorized_user", "client_id": "a",\n "client_secret": "b", "refresh_token": "c"}';
  const file = {
    upstreams: [
      upstream({
        cloud: { surface: "bedrock", region: "us-east-1" },
        apiKeys: [keys, "${GOOGLE}", "plain"],
      }),
    ],
  };
  const { upstreams: [read], machine } = load(file, { GOOGLE: google, AWS_ROLE_ARN: "arn:1" });
  assertEquals(read?.credentials, [
    JSON.stringify(keys),
    '{"type":"authorized_user","client_id":"a","client_secret":"b","refresh_token":"c"}',
    "plain",
  ]);
  assertEquals(machine, { variables: { AWS_ROLE_ARN: "arn:1" }, isForAll: false });
});

Deno.test("loadConfig reads budgets and limits of keys and groups, one budget or a list", () => {
  const config = load({
    timeZone: "europe/berlin",
    groups: [{
      id: "team",
      budget: [{ usd: 5, period: "day" }, {
        usd: 0.1,
        period: "month",
        timeZone: "Asia/Kathmandu",
      }],
      limits: { tokensPerMinute: 1000 },
    }],
    keys: [{ name: "a", value: fileKey, budget: { usd: 1e-9, period: "total" } }],
  });
  assertEquals(config.timeZone, "Europe/Berlin");
  assertEquals(config.groups[0]?.budgets, [
    { nanoUsd: 5_000_000_000n, period: "day" },
    { nanoUsd: 100_000_000n, period: "month", timeZone: "Asia/Kathmandu" },
  ]);
  assertEquals(config.groups[0]?.limits, { tokensPerMinute: 1000 });
  assertEquals(config.keys[0]?.budgets, [{ nanoUsd: 1n, period: "total" }]);
});

Deno.test("loadConfig reads where past days of the log are archived", () => {
  assertEquals(load({}).logRetentionMs, 90 * 86_400_000);
  const folder = load({ logArchive: { folder: "/srv/archive" } });
  assertEquals(folder.logRetentionMs, Infinity);
  assertEquals(folder.logArchive, {
    keepDays: 30,
    place: { type: "folder", path: "/srv/archive" },
  });
  const bucket = {
    endpoint: "https://s3.example.com/",
    ...{ bucket: "acme", prefix: "/a/b/", accessKeyId: "id", secretAccessKey: "${SECRET}" },
  };
  const archive = load({ logArchive: { s3: bucket, keepDays: 2 } }, { SECRET: "hush" }).logArchive;
  assertEquals(archive, {
    keepDays: 2,
    place: {
      ...{ type: "s3", endpoint: "https://s3.example.com", region: "us-east-1", bucket: "acme" },
      ...{ prefix: "a/b/", accessKeyId: "id", secretAccessKey: "hush" },
    },
  });
});

Deno.test("loadConfig refuses an archive that loses calls, or has no place or two", () => {
  const place = { folder: "/srv/archive" };
  for (const logRetentionDays of [30, 31, 36]) {
    const { message } = assertThrows(
      () => load({ logArchive: { ...place, keepDays: 30 }, limits: { logRetentionDays } }),
      ConfigError,
    );
    assertEquals(
      message,
      `logArchive.keepDays must be at least 7 days below limits.logRetentionDays, which is ${logRetentionDays}: calls from before the archive expire at that age`,
    );
  }
  load({ logArchive: { ...place, keepDays: 30 }, limits: { logRetentionDays: 37 } });
  const s3 = { endpoint: "https://a.test", bucket: "a", accessKeyId: "a", secretAccessKey: "a" };
  for (
    const { logArchive, said } of [
      { logArchive: {}, said: "logArchive must have either folder or s3" },
      { logArchive: { ...place, s3 }, said: "logArchive must have either folder or s3" },
      {
        logArchive: { s3: { ...s3, endpoint: "https://u:p@a.test" } },
        said:
          "logArchive.s3.endpoint must be an address such as https://s3.eu-central-1.amazonaws.com",
      },
      {
        logArchive: { s3: { ...s3, prefix: "a/../b" } },
        said:
          "logArchive.s3.prefix must be a prefix such as tessera/log, without . and .. between its slashes",
      },
    ]
  ) {
    assertEquals(assertThrows(() => load({ logArchive }), ConfigError).message, said);
  }
  const onDeploy = () =>
    load({ logArchive: place }, { DENO_DEPLOY: "1", TESSERA_SECRET: "a".repeat(32) });
  assertEquals(
    assertThrows(onDeploy, ConfigError).message,
    "logArchive must have s3 on Deno Deploy, where no folder is durable",
  );
});

Deno.test("loadConfig reads when alerts are raised, and where they are sent", () => {
  assertEquals(load({}).alerts, {
    thresholds: [50, 80, 100],
    lowBalanceNanoUsd: 5_000_000_000n,
  });
  const webhook = { url: "https://hooks.test/in?team=1", secret: "${HOOK}" };
  const alerts = { thresholds: [90, 25, 90], lowBalanceUsd: 0.1, webhook };
  assertEquals(load({ alerts }, { HOOK: webhookSecret }).alerts, {
    thresholds: [25, 90],
    lowBalanceNanoUsd: 100_000_000n,
    webhook: { url: "https://hooks.test/in?team=1", secret: webhookSecret },
  });
});

Deno.test("loadConfig takes a price with everything in it, and a list of them by date", () => {
  const price = {
    input: 3,
    output: 15,
    cachedInput: 0.3,
    cacheWrite: 3.75,
    cacheWrite1h: 6,
    cacheWrite12h: 7.5,
    reasoning: 16,
    audioInput: 40,
    audioOutput: 80,
    imageInput: 5,
    imageOutput: 30,
    request: 0.001,
    hostedTools: { "web-search": 10, "file-search": 2.5 },
    tiers: [{ aboveInputTokens: 200_000, input: 6, output: 22.5 }],
    serviceTiers: { fast: { factor: 2 }, flex: { factor: 0.5, cachedInput: 0.3 }, "acme-1": {} },
    regions: { us: 1.1 },
  };
  const dated = [
    { from: "2026-01-01T00:00:00Z", ...price },
    { from: "2027-01-01T00:00:00+01:00", input: 1, output: 2 },
  ];
  const config = load({ models: [{ id: "a", price }, { id: "b", price: dated }] });
  assertEquals(config.models, [{ id: "a", price }, { id: "b", price: dated }]);
});

Deno.test("loadConfig takes groups that may use models without a price", () => {
  const config = load({ groups: [{ id: "a", allowUnpriced: true }, { id: "b" }] });
  assertEquals(config.groups.map(({ allowUnpriced }) => allowUnpriced), [true, undefined]);
});

Deno.test("loadConfig trusts no proxy by default, and the environment overrides the file", () => {
  const file = { trustedProxies: ["192.0.2.1"] };
  const env = { TESSERA_TRUSTED_PROXIES: "10.0.0.0/8, ::1," };
  assertEquals(load({}).trustedProxies, []);
  assertEquals(load(file).trustedProxies, ["192.0.2.1"]);
  assertEquals(load(file, env).trustedProxies, ["10.0.0.0/8", "::1"]);
});

Deno.test("loadConfig freezes all of it", () => {
  const config = load({ upstreams: [upstream()] });
  for (const part of [config, config.limits, config.upstreams, config.upstreams[0]?.timeouts]) {
    assert(Object.isFrozen(part));
  }
});

Deno.test("loadConfig makes an upstream of each provider variable", () => {
  const config = loadConfig({
    OPENAI_API_KEY: "o",
    ANTHROPIC_API_KEY: "a",
    GEMINI_API_KEY: "g",
    OLLAMA_HOST: "localhost",
  }, () => "");
  const found = config.upstreams.map(({ id, endpoints, credentials, models, priority }) => ({
    id,
    endpoints,
    credentials,
    priority,
    models: models.map((model) => model.id),
  }));
  assertEquals(found, [
    {
      id: "openai",
      endpoints: {
        "chat-completions": "https://api.openai.com/v1",
        responses: "https://api.openai.com/v1",
      },
      credentials: ["o"],
      priority: 0,
      models: [...presetNamed("openai").models ?? []],
    },
    {
      id: "anthropic",
      endpoints: { messages: "https://api.anthropic.com" },
      credentials: ["a"],
      priority: 0,
      models: ["claude-*"],
    },
    {
      id: "gemini",
      endpoints: { "generate-content": "https://generativelanguage.googleapis.com/v1beta" },
      credentials: ["g"],
      priority: 0,
      models: ["gemini-*", "gemma-*", "imagen-*"],
    },
    {
      id: "ollama",
      endpoints: {
        "chat-completions": "http://localhost:11434/v1",
        responses: "http://localhost:11434/v1",
        messages: "http://localhost:11434",
      },
      credentials: [],
      priority: -1,
      models: ["*"],
    },
  ]);
});

Deno.test("loadConfig fills in from the preset what an upstream does not say", () => {
  const [mistral] = load({ upstreams: [{ id: "m", preset: "mistral", apiKeys: ["k"] }] }).upstreams;
  assertEquals(mistral.endpoints, { "chat-completions": "https://api.mistral.ai/v1" });
  assertEquals([mistral.preset, mistral.priority, mistral.credentials], ["mistral", 0, ["k"]]);
  assert(mistral.models.some(({ id }) => id === "codestral-*"));
  assert(!("auth" in mistral) && !("baseUrl" in mistral));

  const [azure] = load({
    upstreams: [{
      id: "a",
      preset: "azure",
      baseUrl: "https://mine.openai.azure.com/",
      apiKeys: ["k"],
      models: ["gpt-large"],
    }],
  }).upstreams;
  assertEquals(azure.endpoints, {
    "chat-completions": "https://mine.openai.azure.com/openai/v1",
    responses: "https://mine.openai.azure.com/openai/v1",
  });
  assertEquals([azure.auth, azure.models, azure.priority], [
    { header: "api-key" },
    [{ id: "gpt-large" }],
    0,
  ]);
});

Deno.test("loadConfig puts a preset whose names follow no rule after those that know a name", () => {
  const groq = { id: "g", preset: "groq", apiKeys: ["k"] };
  const config = load({
    upstreams: [groq, { ...groq, id: "h", models: ["llama-*"] }, { ...groq, id: "i", priority: 2 }],
  });
  assertEquals(config.upstreams.map(({ models: [{ id }], priority }) => [id, priority]), [
    ["*", -1],
    ["llama-*", 0],
    ["*", 2],
  ]);
});

Deno.test("loadConfig prefers an upstream's own fields to its preset's", () => {
  const [own] = load({
    upstreams: [{
      id: "o",
      preset: "openrouter",
      endpoints: { messages: "https://relay.test/anthropic" },
      auth: { header: "x-relay-key" },
      models: ["claude-*"],
    }],
  }).upstreams;
  assertEquals(own.endpoints, { messages: "https://relay.test/anthropic" });
  assertEquals([own.auth, own.models], [{ header: "x-relay-key" }, [{ id: "claude-*" }]]);
});

Deno.test("loadConfig reports the fault in a provider variable", () => {
  const error = assertThrows(
    () => loadConfig({ OLLAMA_HOST: "http://box:11434/models" }, () => ""),
    ConfigError,
  );
  assertEquals(
    error.message,
    "OLLAMA_HOST must be a base URL without /models, which is appended to it",
  );
});

Deno.test("loadConfig lets an upstream in the file take the place of the variable's", () => {
  const config = load({ upstreams: [upstream({ id: "openai" })] }, { OPENAI_API_KEY: "o" });
  assertEquals(config.upstreams.map(({ id, credentials }) => [id, credentials]), [["openai", []]]);
});

const ollamaHosts = [
  ["127.0.0.1", "http://127.0.0.1:11434/v1"],
  ["0.0.0.0:8080", "http://127.0.0.1:8080/v1"],
  ["http://box:11434/", "http://box:11434/v1"],
  ["https://ollama.test", "https://ollama.test/v1"],
  ["https://ollama.test/gate/", "https://ollama.test/gate/v1"],
  ["http://box:11434/v1/", "http://box:11434/v1"],
] as const;
for (const [host, base] of ollamaHosts) {
  Deno.test(`loadConfig reads OLLAMA_HOST ${host}`, () => {
    const config = loadConfig({ OLLAMA_HOST: host }, () => "");
    assertEquals(config.upstreams[0]?.endpoints["chat-completions"], base);
  });
}

const stores = [
  [{ TESSERA_KV: ":memory:" }, { type: "memory" }],
  [{ TESSERA_KV: "/var/t.db" }, { type: "file", path: "/var/t.db" }],
  [{ TESSERA_KV: "https://kv.test", TESSERA_SECRET: "long enough" }, {
    type: "server",
    url: "https://kv.test",
  }],
  [{ TESSERA_KV: "postgres://a:b@db/c", TESSERA_SECRET: "long enough" }, {
    type: "postgres",
    url: "postgres://a:b@db/c",
  }],
  [{ DENO_DEPLOY: "true", TESSERA_SECRET: "long enough" }, { type: "attached" }],
  [{ DENO_DEPLOY: "true", CI: "true", DENO_TIMELINE: "t", TESSERA_SECRET: "long enough" }, {
    type: "attached",
  }],
  [{ DENO_DEPLOY: "true", CI: "true" }, { type: "file", path: "data/tessera.db" }],
  [{ DENO_DEPLOY: "true", TESSERA_KV: "a.db" }, { type: "file", path: "a.db" }],
  [{ DENO_DEPLOYMENT_ID: "d" }, { type: "file", path: "data/tessera.db" }],
] as const;
for (const [env, store] of stores) {
  Deno.test(`loadConfig finds the store in ${Object.keys(env).join(", ")} (${store.type})`, () => {
    assertEquals(loadConfig(env, () => "").store, store);
  });
}

const hosts = [
  [{}, true],
  [{ HOST: "localhost" }, true],
  [{ HOST: "127.0.0.2" }, true],
  [{ HOST: "::1" }, true],
  [{ HOST: "0.0.0.0" }, false],
  [{ HOST: "::" }, false],
  [{ HOST: "192.168.1.5" }, false],
  [{ HOST: "127.0.0.1.example.com" }, false],
  [{ DENO_DEPLOY: "true", TESSERA_SECRET: "long enough" }, false],
] as const;
for (const [env, expected] of hosts) {
  Deno.test(`loadConfig: only this machine reaches ${JSON.stringify(env)}: ${expected}`, () => {
    assertEquals(loadConfig(env, () => "").servesOnlyThisMachine, expected);
  });
}

const stops = [
  [{}, {}, 30_000, 5_000],
  [{}, { stopGraceMs: 60_000 }, 60_000, 5_000],
  [{ DENO_DEPLOY: "true" }, {}, 2_500, 1_000],
  [{ DENO_DEPLOY: "true" }, { stopGraceMs: 60_000 }, 2_500, 1_000],
  [{ DENO_DEPLOY: "true" }, { stopGraceMs: 500 }, 500, 1_000],
] as const;
for (const [env, limits, graceMs, wordsMs] of stops) {
  Deno.test(`loadConfig: stop times with ${JSON.stringify({ ...env, ...limits })}`, () => {
    const config = load({ limits }, { ...env, TESSERA_SECRET: "long enough" });
    assertEquals([config.limits.stopGraceMs, config.lastWordsMs], [graceMs, wordsMs]);
  });
}

Deno.test("loadConfig listens on all addresses on Deno Deploy, unless HOST says otherwise", () => {
  const env = { DENO_DEPLOY: "true", TESSERA_SECRET: "long enough" };
  assertEquals(load({}, env).host, "0.0.0.0");
  assertEquals(load({}, { ...env, HOST: "127.0.0.1" }).host, "127.0.0.1");
  assertEquals(load({}, {}).host, "127.0.0.1");
});

Deno.test("loadConfig lets no page of another origin call unless it is allowed, and the environment comes before the file", () => {
  const file = { cors: { origins: ["https://App.example.com:443/", "capacitor://localhost"] } };
  const env = { TESSERA_CORS_ORIGINS: "http://localhost:5173, https://a.example" };
  assertEquals(load({}).corsOrigins, []);
  assertEquals(load(file).corsOrigins, ["https://app.example.com", "capacitor://localhost"]);
  assertEquals(load(file, env).corsOrigins, ["http://localhost:5173", "https://a.example"]);
  assertEquals(load({ cors: { origins: ["*"] } }).corsOrigins, ["*"]);
});

Deno.test("loadConfig writes no log of calls unless it is set, and the environment comes before the file", () => {
  assertEquals(load({}).callLog, "off");
  assertEquals(load({ callLog: "json" }).callLog, "json");
  assertEquals(load({ callLog: "json" }, { TESSERA_CALL_LOG: "off" }).callLog, "off");
});

const proxied = [
  [{}, { trustedProxies: ["127.0.0.1"] }, false],
  [{ TESSERA_TRUSTED_PROXIES: "::1" }, {}, false],
  [{}, { publicUrl: "https://gateway.example.com" }, false],
  [{}, { publicUrl: "http://192.168.1.5:8000" }, false],
  [{}, { publicUrl: "http://localhost:8000" }, true],
  [{}, { publicUrl: "http://[::1]:8000" }, true],
  [{}, { trustedProxies: [] }, true],
] as const;
for (const [env, file, expected] of proxied) {
  const said = JSON.stringify({ ...env, ...file });
  Deno.test(`loadConfig: only this machine reaches a loopback server with ${said}: ${expected}`, () => {
    assertEquals(load(file, env).servesOnlyThisMachine, expected);
  });
}

const wrongFiles: { file: unknown; env?: Record<string, string>; expected: string }[] = [
  {
    file: { upstreams: [upstream({ timeouts: { connectMs: 0 } })] },
    expected: "upstreams[0].timeouts.connectMs must be a positive integer",
  },
  {
    file: { upstreams: [upstream({ timeouts: { connectMs: "5" } })] },
    expected: "upstreams[0].timeouts.connectMs must be a positive integer",
  },
  {
    file: { upstreams: [upstream({ timeouts: { idleMs: 3e9 } })] },
    expected:
      "upstreams[0].timeouts.idleMs must be a positive integer of milliseconds, at most 2147483647",
  },
  {
    file: { upstreams: [upstream({ timeout: {} })] },
    expected: "upstreams[0] has the unknown field timeout; did you mean timeouts?",
  },
  {
    file: { upstream: [] },
    expected: "The configuration file has the unknown field upstream; did you mean upstreams?",
  },
  {
    file: { zebra: 1 },
    expected:
      "The configuration file has the unknown field zebra; known fields are $schema, upstreams, models, groups, keys, timeZone, alerts, email, priceFeed, signIn, limits, logArchive, storeResponsesByDefault, sockets, compactionPrompt, managedSettings, allowPrivateUpstreams, allowMachineIdentity, callLog, metricsToken, publicUrl, trustedProxies, cors",
  },
  {
    file: { cors: { origins: ["https://app.example.com/page"] } },
    expected: 'cors.origins[0] must be an origin such as https://app.example.com, or "*"',
  },
  {
    file: { cors: { origins: ["app.example.com"] } },
    expected: 'cors.origins[0] must be an origin such as https://app.example.com, or "*"',
  },
  {
    file: { publicUrl: "https://gateway.example.com/console" },
    expected: "publicUrl must be an address without a path, such as https://gateway.example.com",
  },
  { file: [], expected: "The configuration file must be an object" },
  { file: { upstreams: {} }, expected: "upstreams must be a list of upstreams" },
  { file: { upstreams: [1] }, expected: "upstreams[0] must be an object" },
  {
    file: { upstreams: [{ endpoints: { messages: "https://a.test" } }] },
    expected:
      "upstreams[0].id is missing: it must be 1 to 64 letters, digits, dots, dashes or underscores",
  },
  {
    file: { upstreams: [upstream({ endpoints: {} })] },
    expected:
      "upstreams[0].endpoints must name a base URL for at least one of chat-completions, responses, messages, generate-content",
  },
  {
    file: {
      upstreams: [upstream({ endpoints: { messages: "https://a.test", chat: "https://a.test" } })],
    },
    expected: "upstreams[0].endpoints has the unknown field chat; did you mean chat-completions?",
  },
  {
    file: {
      upstreams: [upstream({
        endpoints: { "chat-completions": "https://a.test/v1/chat/completions" },
      })],
    },
    expected:
      "upstreams[0].endpoints.chat-completions must be a base URL without /chat/completions, which is appended to it",
  },
  {
    file: { upstreams: [upstream({ endpoints: { messages: "file:///x" } })] },
    expected:
      "upstreams[0].endpoints.messages must be a base URL such as https://api.example.com/v1",
  },
  {
    file: { upstreams: [upstream({ endpoints: { messages: "https://u:p@a.test" } })] },
    expected:
      "upstreams[0].endpoints.messages must be a base URL without user and password: put the credential in apiKeys",
  },
  {
    file: { upstreams: [{ id: "a" }] },
    expected: "upstreams[0].endpoints is missing: set the base URL for each format, or a preset",
  },
  {
    file: { upstreams: [{ id: "a", preset: "openruoter" }] },
    expected: "upstreams[0].preset must be the name of a preset; did you mean openrouter?",
  },
  {
    file: { upstreams: [{ id: "a", preset: "Mistral AI" }] },
    expected: "upstreams[0].preset must be the name of a preset; did you mean mistral?",
  },
  {
    file: { upstreams: [{ id: "a", preset: "sk-0123456789abcdefghij" }] },
    expected:
      "upstreams[0].preset must be one of openai, anthropic, google, openrouter, deepseek, mistral, groq, xai, together, azure, fireworks, cerebras, moonshot, qwen, zai, ollama, llama-cpp, vllm, lm-studio",
  },
  {
    file: { upstreams: [{ id: "a", preset: "groq" }] },
    expected: "upstreams[0].apiKeys must contain a key of Groq: see https://console.groq.com/keys",
  },
  {
    file: { upstreams: [{ id: "a", preset: "azure", apiKeys: ["k"] }] },
    expected:
      "upstreams[0].baseUrl is missing: it must be the address of your Azure OpenAI, such as https://RESOURCE.openai.azure.com",
  },
  {
    file: { upstreams: [{ id: "a", baseUrl: "https://a.test" }] },
    expected:
      "upstreams[0].baseUrl requires a preset, which knows what to append to it; without a preset, set endpoints",
  },
  {
    file: { upstreams: [upstream({ preset: "vllm", baseUrl: "https://a.test" })] },
    expected:
      "upstreams[0].baseUrl cannot be combined with endpoints, which are complete base URLs",
  },
  {
    file: { upstreams: [{ id: "a", preset: "vllm", baseUrl: "http://gpu:8000/v1" }] },
    expected: "upstreams[0].baseUrl must not end in /v1: the preset appends it",
  },
  {
    file: { upstreams: [upstream({ models: [{ id: "a", upstream: "b" }] })] },
    expected: "upstreams[0].models[0] has the unknown field upstream; did you mean upstreamModel?",
  },
  {
    file: { upstreams: [upstream({ models: [1] })] },
    expected:
      "upstreams[0].models[0] must be a model's name, or an object with id and upstreamModel",
  },
  {
    file: { upstreams: [upstream({ apiKeys: ["${ACME_API_KEY}"] })] },
    expected:
      "upstreams[0].apiKeys[0] names the environment variable ACME_API_KEY, which is not set",
  },
  {
    file: { upstreams: [upstream({ apiKeys: [{ type: "aws", accessKeyId: "AKIA1" }] })] },
    expected: "upstreams[0].apiKeys[0].secretAccessKey must be a text",
  },
  {
    file: { upstreams: [upstream({ apiKeys: ['{"type": "aws", "accessKeyId": "AKIA1"}'] })] },
    expected:
      "upstreams[0].apiKeys[0] must be a whole credential source: secretAccessKey is missing or wrong",
  },
  {
    file: { upstreams: [upstream({ apiKeys: ["two words"] })] },
    expected: "upstreams[0].apiKeys[0] must be a credential: printable characters without spaces",
  },
  {
    file: { upstreams: [upstream(), upstream()] },
    expected: "upstreams[1].id must differ from upstreams[0].id",
  },
  {
    file: { upstreams: [upstream({ groups: ["vip"] })] },
    expected: "upstreams[0].groups[0] must be a declared group: default",
  },
  {
    file: { keys: [{ name: "a", value: fileKey, group: "vip" }] },
    expected: "keys[0].group must be a declared group: default",
  },
  {
    file: { keys: [{ name: "a", value: "sk-short" }] },
    expected: "keys[0].value must be an sk- string of at least 20 characters without spaces",
  },
  {
    file: { keys: [{ name: "a" }] },
    expected:
      "keys[0].value is missing: it must be an sk- string of at least 20 characters without spaces",
  },
  {
    file: { keys: [{ name: "a", value: fileKey }, { name: "b", value: fileKey }] },
    expected: "keys[1].value must differ from keys[0].value",
  },
  {
    file: { keys: [{ name: "a", value: fileKey, budget: { usd: -1, period: "day" } }] },
    expected: "keys[0].budget.usd must be an amount of USD above 0, at most 9000000",
  },
  {
    file: { keys: [{ name: "a", value: fileKey, budget: { usd: 1, period: "year" } }] },
    expected:
      "keys[0].budget.period must be day, week, month, total, session or a length such as 5h or 7d",
  },
  {
    file: { keys: [{ name: "a", value: fileKey, budget: { usd: 1, period: "91d" } }] },
    expected:
      "keys[0].budget.period must be day, week, month, total, session or a length such as 5h or 7d",
  },
  {
    file: {
      keys: [{
        name: "a",
        value: fileKey,
        budget: [{ usd: 1, period: "60m" }, { usd: 2, period: "1h" }],
      }],
    },
    expected: "keys[0].budget[1].period must differ from keys[0].budget[0].period",
  },
  {
    file: { keys: [{ name: "a", value: fileKey, budget: { usd: 1e-10, period: "day" } }] },
    expected: "keys[0].budget.usd must be an amount of USD above 0, at most 9000000",
  },
  {
    file: { keys: [{ name: "a", value: fileKey, budget: 5 }] },
    expected:
      'keys[0].budget must be a budget such as { "usd": 5, "period": "day" }, or a list of them',
  },
  {
    file: {
      groups: [{ id: "a", budget: [{ usd: 1, period: "day" }, { usd: 2, period: "day" }] }],
    },
    expected: "groups[0].budget[1].period must differ from groups[0].budget[0].period",
  },
  {
    file: { groups: [{ id: "a", budget: [{ usd: 1, period: "day", zone: "UTC" }] }] },
    expected:
      "groups[0].budget[0] has the unknown field zone; known fields are usd, period, timeZone",
  },
  {
    file: { groups: [{ id: "a", budget: { usd: 1, period: "day", timeZone: "Mars/Olympus" } }] },
    expected:
      "groups[0].budget.timeZone must be the name of a time zone such as Europe/Berlin, or UTC",
  },
  {
    file: { groups: [{ id: "a", limits: { concurrency: 0 } }] },
    expected: "groups[0].limits.concurrency must be a positive integer",
  },
  {
    file: { timeZone: "+01:00" },
    expected: "timeZone must be the name of a time zone such as Europe/Berlin, or UTC",
  },
  {
    file: { keys: [{ name: "a", value: fileKey, ipAllowList: ["10.0.0.0/33"] }] },
    expected:
      "keys[0].ipAllowList[0] must be an address or a block of them, such as 203.0.113.7 or 10.0.0.0/8",
  },
  {
    file: { keys: [{ name: "a", value: fileKey, expiresAt: "tomorrow" }] },
    expected: "keys[0].expiresAt must be a time such as 2030-01-31T12:00:00Z",
  },
  {
    file: { groups: [{ id: "a", formats: ["chat"] }] },
    expected:
      'groups[0].formats[0] must be "*" or one of chat-completions, responses, messages, generate-content',
  },
  {
    file: { models: [{ id: "a", price: { input: -1, output: 1 } }] },
    expected: "models[0].price.input must be an amount of USD, 0 or more",
  },
  {
    file: { models: [{ id: "a", price: { input: 1, output: 1, cachedInputs: 1 } }] },
    expected: "models[0].price has the unknown field cachedInputs; did you mean cachedInput?",
  },
  {
    file: {
      models: [{ id: "a", price: { input: 1, output: 1, hostedTools: { "web-serch": 1 } } }],
    },
    expected:
      "models[0].price.hostedTools has the unknown field web-serch; did you mean web-search?",
  },
  {
    file: { models: [{ id: "a", price: { input: 1, output: 1, tiers: [{ input: 2 }] } }] },
    expected: "models[0].price.tiers[0].aboveInputTokens is missing: it must be a positive integer",
  },
  {
    file: {
      models: [{
        id: "a",
        price: { input: 1, output: 1, tiers: [{ aboveInputTokens: 5 }, { aboveInputTokens: 5 }] },
      }],
    },
    expected: "models[0].price.tiers must be tiers of different lengths",
  },
  {
    file: {
      models: [{
        id: "a",
        price: { input: 1, output: 1, serviceTiers: { fast: { factor: 2 }, priority: {} } },
      }],
    },
    expected:
      "models[0].price.serviceTiers must be each service tier once: fast and priority are the same tier",
  },
  {
    file: { models: [{ id: "a", price: { input: 1, output: 1, regions: { us: 0 } } }] },
    expected: "models[0].price.regions.us must be a number above 0, at most 100",
  },
  {
    file: {
      models: [{ id: "a", price: { input: 1, output: 1, serviceTiers: { fast: { factors: 2 } } } }],
    },
    expected:
      "models[0].price.serviceTiers.fast has the unknown field factors; did you mean factor?",
  },
  {
    file: { models: [{ id: "a", price: [{ input: 1, output: 1 }] }] },
    expected: "models[0].price[0].from is missing: it must be a time such as 2030-01-31T12:00:00Z",
  },
  {
    file: { models: [{ id: "a", price: [] }] },
    expected: "models[0].price must be a list of at least one price",
  },
  {
    file: { models: [{ id: "a", price: 3 }] },
    expected: "models[0].price must be a price, or a list of prices with from",
  },
  {
    file: { alerts: { thresholds: [0] } },
    expected: "alerts.thresholds[0] must be a whole percentage from 1 to 100",
  },
  {
    file: { alerts: { lowBalanceUsd: -1 } },
    expected: "alerts.lowBalanceUsd must be an amount of USD, 0 or more",
  },
  {
    file: { alerts: { webhook: { url: "hooks.test", secret: webhookSecret } } },
    expected: "alerts.webhook.url must be an address such as https://hooks.example.com/tessera",
  },
  {
    file: { alerts: { webhook: { url: "https://a:b@hooks.test", secret: webhookSecret } } },
    expected:
      "alerts.webhook.url must be an address without user and password: the signature authenticates the sender",
  },
  {
    file: { alerts: { webhook: { url: "https://hooks.test", secret: "whsec_c2hvcnQ=" } } },
    expected:
      "alerts.webhook.secret must be whsec_ and the base64 of 24 to 64 random bytes, such as the output of openssl rand -base64 32",
  },
  {
    file: { limits: { bodyBytes: 1 } },
    expected: "limits has the unknown field bodyBytes; did you mean bodyBytesMax?",
  },
  { file: "{", expected: "tessera.jsonc:1:2 must be JSON with comments: close brace expected" },
  {
    file: '{\n  "keys": [,]\n}',
    expected: "tessera.jsonc:2:12 must be JSON with comments: value expected",
  },
  { file: "", expected: "tessera.jsonc:1:1 must be JSON with comments: value expected" },
];
for (const { file, env, expected } of wrongFiles) {
  Deno.test(`loadConfig refuses a file: ${expected}`, () => {
    const error = assertThrows(() => load(file, env), ConfigError);
    assertEquals(error.message, expected);
  });
}

const wrongEnvironments: { env: Record<string, string>; expected: string }[] = [
  { env: { PORT: "eighty" }, expected: "PORT must be an integer from 0 to 65535" },
  { env: { PORT: "70000" }, expected: "PORT must be an integer from 0 to 65535" },
  {
    env: { TESSERA_ADMIN_EMAIL: "a@b.test" },
    expected: "TESSERA_ADMIN_PASSWORD must be set together with TESSERA_ADMIN_EMAIL",
  },
  {
    env: { TESSERA_ADMIN_EMAIL: "nobody", TESSERA_ADMIN_PASSWORD: "123456789012" },
    expected: "TESSERA_ADMIN_EMAIL must be an e-mail address",
  },
  {
    env: { TESSERA_ADMIN_EMAIL: "a@b.test", TESSERA_ADMIN_PASSWORD: "elevenchars" },
    expected: "TESSERA_ADMIN_PASSWORD must be a password of 12 to 1000 characters",
  },
  {
    env: { TESSERA_ADMIN_EMAIL: "a@b.test", TESSERA_ADMIN_PASSWORD: "elevenchar\u{1f511}" },
    expected: "TESSERA_ADMIN_PASSWORD must be a password of 12 to 1000 characters",
  },
  {
    env: { STRIPE_SECRET_KEY: "sk_test_1" },
    expected: "STRIPE_WEBHOOK_SECRET must be set together with STRIPE_SECRET_KEY",
  },
  {
    env: { STRIPE_WEBHOOK_SECRET: "whsec_1" },
    expected: "STRIPE_SECRET_KEY must be set together with STRIPE_WEBHOOK_SECRET",
  },
  {
    env: { STRIPE_SECRET_KEY: "pk_live_1", STRIPE_WEBHOOK_SECRET: "whsec_1" },
    expected: "STRIPE_SECRET_KEY must be a secret key of Stripe (sk_…) or a restricted one (rk_…)",
  },
  {
    env: {
      STRIPE_SECRET_KEY: "sk_test_1",
      STRIPE_WEBHOOK_SECRET: "whsec_1",
      STRIPE_API_BASE: "http://127.0.0.1:1/v1",
    },
    expected: "STRIPE_API_BASE must be an address without a path, such as http://127.0.0.1:12111",
  },
  {
    env: { TESSERA_SECRET: "short" },
    expected: "TESSERA_SECRET must be a secret of at least 8 characters",
  },
  {
    env: { TESSERA_SECRT: "x" },
    expected: "TESSERA_SECRT is not known; did you mean TESSERA_SECRET?",
  },
  {
    env: { TESSERA_KV: "https://kv.test" },
    expected: "TESSERA_SECRET must be set to the same value in all processes that share the store",
  },
  {
    env: { TESSERA_KV: "redis://kv.test" },
    expected: "TESSERA_KV must be a path, :memory:, postgres://… or a KV Connect URL (https://…)",
  },
  {
    env: { TESSERA_CORS_ORIGINS: "https://a.example, a.example" },
    expected:
      "TESSERA_CORS_ORIGINS must be origins such as https://app.example.com,http://localhost:5173, or *",
  },
  {
    env: { TESSERA_TRUSTED_PROXIES: "10.0.0.0/8, all" },
    expected:
      "TESSERA_TRUSTED_PROXIES must be addresses or blocks of them, such as 10.0.0.0/8,203.0.113.7",
  },
  {
    env: { OLLAMA_HOST: "http://" },
    expected:
      "OLLAMA_HOST must be an address such as 127.0.0.1:11434 or http://ollama.internal:11434",
  },
];
for (const { env, expected } of wrongEnvironments) {
  Deno.test(`loadConfig refuses an environment: ${expected}`, () => {
    const error = assertThrows(() => loadConfig(env, () => ""), ConfigError);
    assertEquals(error.message, expected);
  });
}

Deno.test("loadConfig reports all faults at once, a line each", () => {
  const file = { upstreams: [upstream({ weight: 0, priority: "x" })] };
  const error = assertThrows(() => load(file, { PORT: "x" }), ConfigError);
  assertEquals(error.faults, [
    "PORT must be an integer from 0 to 65535",
    "upstreams[0].priority must be an integer",
    "upstreams[0].weight must be a positive integer",
  ]);
});

Deno.test("loadConfig says which file it cannot read", () => {
  const missing = () => {
    throw new Deno.errors.NotFound("no such file");
  };
  const error = assertThrows(() => loadConfig({ TESSERA_CONFIG: "a.jsonc" }, missing), ConfigError);
  assertEquals(error.message, "TESSERA_CONFIG must name a readable file: cannot read a.jsonc");
});

Deno.test("loadConfig never repeats a secret in its errors", () => {
  const secret = "super secret value";
  const file = {
    upstreams: [upstream({ apiKeys: [secret] })],
    keys: [{ name: "a", value: secret }, { name: "b", value: secret }],
  };
  const env = { OPENAI_API_KEY: secret, TESSERA_ADMIN_PASSWORD: secret, GEMINI_API_KEY: secret };
  const error = assertThrows(() => load(file, env), ConfigError);
  assert(error.faults.length >= 5);
  assert(!error.message.includes("super"));
});

Deno.test("loadConfig counts an empty variable as not set", () => {
  const config = loadConfig({ PORT: "", TESSERA_KV: " ", OPENAI_API_KEY: "" }, () => "");
  assertEquals([config.port, config.upstreams.length], [8000, 0]);
  assertEquals(config.store, { type: "file", path: "data/tessera.db" });
});

Deno.test("config.schema.json is current: otherwise run tools/config_schema.ts", () => {
  const written = Deno.readTextFileSync(new URL("../config.schema.json", import.meta.url));
  assertEquals(JSON.parse(written), JSON.parse(configJsonSchema()));
});

function referencePage(name: string): string {
  const page = Deno.readTextFileSync(new URL(`../docs/reference/${name}.md`, import.meta.url));
  return page.replaceAll(/ +/g, " ");
}

Deno.test("docs/reference/environment.md names every variable", () => {
  const page = referencePage("environment");
  for (const name of environmentNames) assert(page.includes(`\`${name}\``), name);
});

Deno.test("docs/reference/limits.md names every limit with its default", () => {
  const page = referencePage("limits");
  for (const [name, value] of Object.entries(limitsSchema.parse({}))) {
    assert(page.includes(`| \`${name}\` | ${value} |`), `${name} with its default ${value}`);
  }
});

Deno.test("limits: the description of attemptsMax says what the code counts", () => {
  const { description } = limitsSchema.shape.attemptsMax;
  assertEquals(description, "Maximum number of attempts per request before its first byte");
});
