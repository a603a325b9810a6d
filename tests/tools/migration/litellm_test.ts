import { assert, assertEquals, assertRejects } from "@std/assert";
import type { ChainCause } from "../../../lib/store/catalog/mod.ts";
import { digestOf, usualTimeouts } from "../../../lib/store/mod.ts";
import { ImportRefusal } from "../../../lib/store/transfer/mod.ts";
import { FieldReport } from "../../../tools/migration/source_object.ts";
import { readConfigFile } from "../../../tools/migration/litellm/config_file.ts";
import { liteLlmTables, planLiteLlm } from "../../../tools/migration/litellm/plan.ts";
import type { MigrationPlan } from "../../../tools/migration/plan.ts";
import { readTables } from "../../../tools/migration/tables/tables.ts";
import { litellmConfig, litellmDump, litellmKey, litellmVariables } from "./litellm_sample.ts";
import { withFiles } from "./temp_files.ts";

const nowMs = Date.parse("2026-01-01T00:00:00Z");

/** Plans a configuration with the sample's variables, and a dump if one is given. */
async function planOf(config: string, dump?: string, variables = {}) {
  const report = new FieldReport();
  let plan: MigrationPlan | undefined;
  await withFiles({ "config.yaml": config, "dump.sql": dump ?? "" }, async (folder) => {
    const tables = dump === undefined
      ? new Map()
      : await readTables(`${folder}/dump.sql`, liteLlmTables);
    const read = await readConfigFile(`${folder}/config.yaml`);
    plan = await planLiteLlm({
      config: read,
      tables,
      variables: [{ ...litellmVariables, ...variables }],
    }, { report, nowMs });
  });
  assert(plan);
  return { plan, fields: report.lines() };
}

/** A configuration of one deployment, in YAML's flow style. */
function deployment(params: Readonly<Record<string, unknown>>, name = "m"): string {
  return `model_list: [${JSON.stringify({ model_name: name, litellm_params: params })}]`;
}

Deno.test("litellm: deployments become upstreams by address, key and order", async () => {
  const { plan } = await planOf(litellmConfig);
  const shown = plan.upstreams.map((
    { id, preset, endpoints, credentials, models, weight, enabled },
  ) => ({
    id,
    preset,
    address: Object.values(endpoints)[0],
    credentials,
    models: models.map(({ id, upstreamModel }) => `${id}=${upstreamModel ?? id}`),
    weight,
    enabled,
  }));
  assertEquals(shown, [
    {
      id: "litellm-openai",
      preset: "openai",
      address: "https://api.openai.com/v1",
      credentials: ["sk-proj-plain-in-the-file"],
      models: ["gpt-4o=gpt-4o"],
      weight: 1,
      enabled: true,
    },
    {
      id: "litellm-azure-europe.openai.azure.com",
      preset: "azure",
      address: "https://europe.openai.azure.com/openai/v1",
      credentials: ["azure-key-1", "azure-key-2"],
      models: ["gpt-4o=gpt-4o-europe"],
      weight: 3,
      enabled: true,
    },
    {
      id: "litellm-ollama_chat-127.0.0.1",
      preset: "ollama",
      address: "http://127.0.0.1:11434/v1",
      credentials: [],
      models: ["local=llama3.3"],
      weight: 1,
      enabled: true,
    },
    {
      id: "litellm-anthropic",
      preset: "anthropic",
      address: "https://api.anthropic.com",
      credentials: [],
      models: ["claude=claude-sonnet-4-5"],
      weight: 1,
      enabled: false,
    },
    {
      id: "litellm-groq",
      preset: "groq",
      address: "https://api.groq.com/openai/v1",
      credentials: ["sk-proj-plain-in-the-file"],
      models: ["groq/*=*"],
      weight: 1,
      enabled: true,
    },
  ]);
  assertEquals(plan.upstreams.map(({ timeouts }) => [timeouts.totalMs, timeouts.firstByteMs]), [
    [300_000, 60_000],
    ...Array(4).fill([90_000, usualTimeouts.firstByteMs]),
  ]);
  assertEquals(plan.notices, [
    "litellm-anthropic is disabled: ANTHROPIC_API_KEY is not set. Add its key in the console",
    "These variables are not set: ANTHROPIC_API_KEY. Set them in the file of --env before the " +
    "import, to take their values over",
  ]);
});

Deno.test("litellm: prices are USD per million tokens, and those of base_model are the catalog's", async () => {
  const { plan: { models } } = await planOf(litellmConfig);
  assertEquals(models.map(({ id }) => id), ["gpt-4o", "local", "gpt-4", "old"]);
  assertEquals(models[1], {
    id: "local",
    price: { input: 2.5, output: 10 },
    contextWindow: 131_072,
    createdAtMs: nowMs,
    origin: "console",
  });
});

Deno.test("litellm: fallbacks and aliases become virtual models", async () => {
  const config = `
model_list:
${
    ["big", "small", "long", "safe"].map((name) =>
      `  - { model_name: ${name}, litellm_params: { model: openai/${name}, api_key: k } }`
    ).join("\n")
  }
litellm_settings:
  default_fallbacks: ["safe"]
  context_window_fallbacks: [{ "big": ["long"] }]
router_settings:
  fallbacks: [{ "big": ["small", "long", { "model": "x" }] }]
  content_policy_fallbacks: [{ "small": ["safe"] }]
  model_group_alias: { "alias": "big", "other": "safe" }
`;
  const { plan: { models } } = await planOf(config);
  const members = Object.fromEntries(models.map((model) => [model.id, model.members]));
  const others: ChainCause[] = ["outage", "rate-limit", "timeout", "refusal"];
  const big = [
    { model: "big" },
    { model: "small", causes: others },
    { model: "long" },
  ];
  const isSafe = [{ model: "safe" }];
  assertEquals(members, {
    big,
    small: [{ model: "small" }, ...isSafe],
    long: [{ model: "long" }, ...isSafe],
    alias: big,
    other: isSafe,
  });
});

Deno.test("litellm: every field has a line", async () => {
  const { fields } = await planOf(litellmConfig);
  const found = fields.map(({ place, field, outcome, count }) =>
    `${place}.${field} ${outcome} ${count}`
  );
  for (
    const line of [
      "model_list[].litellm_params.api_key taken 4",
      "model_list[].litellm_params.api_key unknown 1",
      "model_list[].litellm_params.api_version changed 1",
      "model_list[].litellm_params.aws_region_name unknown 1",
      "model_list[].litellm_params.model taken 6",
      "model_list[].litellm_params.rpm unknown 1",
      "model_list[].litellm_params.stream_timeout changed 1",
      "model_list[].model_info.base_model changed 1",
      "litellm_settings.unheard_of unknown 1",
      "litellm_settings.fallbacks changed 1",
      "router_settings.model_group_alias taken 1",
      "general_settings.master_key unknown 1",
    ]
  ) assert(found.includes(line), `${line} is missing from\n${found.join("\n")}`);
});

Deno.test("litellm: keys keep their digests, owners, groups, budgets and limits", async () => {
  const { plan } = await planOf(litellmConfig, litellmDump);
  const [mira, other] = plan.users;
  assertEquals(
    [mira.email, mira.role, mira.spending, mira.budgets],
    ["mira@example.com", "administrator", "unlimited", undefined],
  );
  assertEquals(
    [other.email, other.role, other.budgets],
    ["u-2@litellm.invalid", "member", [{ nanoUsd: 20_000_000_000n, period: "30d" }]],
  );
  const [group] = plan.groups;
  assertEquals(
    [group.models, group.budgets, group.allowUnpriced],
    [["gpt-4o", "local"], [{ nanoUsd: 90_000_000_000n, period: "90d" }], true],
  );
  const shown = plan.keys.map(({ id: _, createdAtMs: __, origin: ___, ...key }) => key);
  assertEquals(shown, [
    {
      accountId: mira.id,
      name: "alpha",
      digest: digestOf(litellmKey),
      prefix: "sk-",
      lastFour: "J2Pg",
      groupId: group.id,
      enabled: true,
      models: ["gpt-4o"],
      budgets: [{ nanoUsd: 5_750_000_000n, period: "total" }],
      limits: { requestsPerMinute: 60, tokensPerMinute: 1_000 },
    },
    {
      accountId: mira.id,
      name: "alpha 2",
      digest: digestOf("sk-2"),
      prefix: "sk-",
      lastFour: "0002",
      groupId: "default",
      enabled: false,
      expiresAtMs: Date.parse("2030-01-01T00:00:00Z"),
    },
    {
      accountId: "owner",
      name: `litellm ${digestOf("sk-3").slice(0, 8)}`,
      digest: digestOf("sk-3"),
      prefix: "sk-",
      lastFour: "0003",
      groupId: "default",
      enabled: false,
      limits: { concurrency: 4 },
    },
  ]);
});

const durations = {
  "5h": [20, "5h"],
  "24h": [20, "24h"],
  "1d": [20, "24h"],
  "7d": [20, "7d"],
  "1w": [20, "7d"],
  "30d": [20, "30d"],
  "90m": [20, "90m"],
  "1mo": [20, "month"],
  "2mo": [20, "60d"],
  "30s": [40, "1m"],
  "180d": [10, "90d"],
} as const;
for (const [duration, [usd, period]] of Object.entries(durations)) {
  Deno.test(`litellm: a budget for ${duration} becomes one for ${period}`, async () => {
    const dump = litellmDump.replace("\t20\t30d\t", `\t20\t${duration}\t`);
    const { plan } = await planOf(litellmConfig, dump);
    assertEquals(plan.users[1].budgets, [{ nanoUsd: BigInt(usd) * 1_000_000_000n, period }]);
  });
}

Deno.test("litellm: a safe master key becomes a key of the first administrator", async () => {
  const secret = "sk-0123456789abcdefghij";
  const { plan } = await planOf(litellmConfig.replace("sk-1234", secret), litellmDump);
  const [{ accountId, name, digest }] = plan.keys;
  assertEquals([accountId, name, digest], ["owner", "litellm master key", digestOf(secret)]);
});

Deno.test("litellm: a second plan of the same source is the same", async () => {
  const [first, second] = [
    await planOf(litellmConfig, litellmDump),
    await planOf(litellmConfig, litellmDump),
  ];
  assertEquals(first, second);
});

const addresses: readonly {
  readonly name: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly endpoint: string;
  readonly model?: string;
}[] = [
  {
    name: "an own server like OpenAI's",
    params: { model: "openai/a/b", api_base: "http://vllm.example/v1/", api_key: "none" },
    endpoint: "http://vllm.example/v1",
    model: "a/b",
  },
  {
    name: "Anthropic behind a proxy, with the path of messages",
    params: {
      model: "anthropic/claude-x",
      api_base: "https://p.example/v1/messages",
      api_key: "k",
    },
    endpoint: "https://p.example",
    model: "claude-x",
  },
  {
    name: "a provider without a preset",
    params: { model: "perplexity/sonar", api_key: "k" },
    endpoint: "https://api.perplexity.ai",
    model: "sonar",
  },
  {
    name: "custom_llm_provider",
    params: { model: "x/y", custom_llm_provider: "openrouter", api_key: "k" },
    endpoint: "https://openrouter.ai/api/v1",
    model: "x/y",
  },
  {
    name: "Gemini",
    params: { model: "gemini/gemini-2.5-pro", api_key: "k" },
    endpoint: "https://generativelanguage.googleapis.com/v1beta",
    model: "gemini-2.5-pro",
  },
];

for (const { name, params, endpoint, model } of addresses) {
  Deno.test(`litellm: the address of ${name}`, async () => {
    const { plan: { upstreams: [{ endpoints, models }] } } = await planOf(deployment(params));
    assertEquals([Object.values(endpoints)[0], models[0].upstreamModel], [endpoint, model]);
  });
}

const leftOut: readonly { readonly name: string; readonly config: string; readonly how: RegExp }[] =
  [
    {
      name: "an API that we do not speak",
      config: deployment({ model: "sagemaker/our-endpoint" }),
      how: /does not speak the API of sagemaker/,
    },
    {
      name: "a model without a vendor",
      config: deployment({ model: "mystery" }),
      how: /no known vendor/,
    },
    {
      name: "a name that calls a pattern",
      config: deployment({ model: "openai/*", api_key: "k" }, "mine"),
      how: /cannot call many models/,
    },
    {
      name: "an address in a variable that has the name of a member",
      config: deployment({ model: "azure/x", api_base: "os.environ/constructor", api_key: "k" }),
      how: /constructor of its api_base is not set/,
    },
    {
      name: "an address in a variable that is not set",
      config: deployment({ model: "azure/x", api_base: "os.environ/NOWHERE", api_key: "k" }),
      how: /NOWHERE of its api_base is not set/,
    },
  ];

for (const { name, config, how } of leftOut) {
  Deno.test(`litellm: leaves out ${name}, and says why`, async () => {
    const { plan, fields } = await planOf(config);
    assertEquals(plan.upstreams, []);
    assert(fields.some((line) => line.outcome === "unknown" && how.test(line.how ?? "")), name);
  });
}

/** A table of models, sealed with `sk-salt-of-the-sample` by PyNaCl and Python's cryptography. */
const sealedModels = `-- PostgreSQL database dump
COPY public."LiteLLM_ProxyModelTable" (model_id, model_name, litellm_params, model_info, blocked) FROM stdin;
1\tclaude\t{"model": "bm5ubm5ubm5ubm5ubm5ubm5ubm5ubm5uJFN2_F_cREKWqmYMmdqMgom052PRaK47X1e_afJEvKIxHjfie6iEq3C04Q==", "api_key": "bm5ubm5ubm5ubm5ubm5ubm5ubm5ubm5u8ak7T_X8Z-CTMfEUCklVcJuxvmrNc_M0ThexKOdZvep4DCztd6yD4w=="}\t{"id": "1"}\tf
2\tmini\t{"model": "v3:gcm:bm5ubm5ubm5ubm5ulI0dv6vYVDIBWaOTykrNaNrdX9XGyTnD0hksbCJdKCHqxQ==", "api_key": "v2:gcm:bm5ubm5ubm5ubm5uolWTo298MQEvN2qCBArxJGDz91A9C2_XrLAV77Eu3aLWRNElCw5zGf8=", "weight": 2}\t\\N\tf
\\.
-- PostgreSQL database dump complete
`;

Deno.test("litellm: models in the database are opened with the salt key, in each form", async () => {
  const config = "model_list: []\n";
  const salt = { LITELLM_SALT_KEY: "sk-salt-of-the-sample" };
  const { plan, fields } = await planOf(config, sealedModels, salt);
  const shown = plan.upstreams.map(({ id, credentials, models, weight }) => [
    id,
    credentials,
    models[0],
    weight,
  ]);
  assertEquals(shown, [
    [
      "litellm-anthropic",
      ["sk-ant-from-the-database"],
      { id: "claude", upstreamModel: "claude-sonnet-4-5" },
      1,
    ],
    [
      "litellm-openai",
      ["sk-proj-from-the-database"],
      { id: "mini", upstreamModel: "gpt-4o-mini" },
      2,
    ],
  ]);
  assert(fields.some(({ place }) => place === "LiteLLM_ProxyModelTable.litellm_params"));
  const asMaster = 'model_list: []\ngeneral_settings: { master_key: "sk-salt-of-the-sample" }\n';
  assertEquals((await planOf(asMaster, sealedModels)).plan.upstreams, plan.upstreams);
});

for (const salt of [{}, { LITELLM_SALT_KEY: "sk-of-another-gateway" }]) {
  const name = "LITELLM_SALT_KEY" in salt ? "with a wrong salt key" : "without the salt key";
  Deno.test(`litellm: models in the database stay sealed ${name}, and a line says so`, async () => {
    const { plan } = await planOf("model_list: []\n", sealedModels, salt);
    assertEquals(plan.upstreams, []);
    assertEquals(plan.notices.map((line) => line.slice(0, 53)), [
      "2 models and credentials in the database stay sealed:",
    ]);
  });
}

Deno.test("litellm: names of JavaScript's own members are names like others", async () => {
  const params = { model: "openai/constructor", api_key: "k", constructor: 1, __proto__: null };
  const config = `${deployment(params, "toString")}\nconstructor: { name: 1, toString: 2 }\n` +
    '"__proto__": { polluted: true }\n';
  const { plan, fields } = await planOf(config);
  assertEquals(plan.upstreams[0].models, [{ id: "toString", upstreamModel: "constructor" }]);
  const places = fields.filter(({ how }) => typeof how !== "string").map(({ place, field }) =>
    `${place}.${field}`
  );
  for (const place of ["constructor.toString", "constructor.name", "__proto__.polluted"]) {
    assert(places.includes(place), `${place} is missing from ${places.join(", ")}`);
  }
  assertEquals("polluted" in {}, false);
});

Deno.test("litellm: included files are joined, and a circle ends", async () => {
  const files = {
    "config.yaml":
      "include: [more.yaml]\nmodel_list: []\nlitellm_settings: { drop_params: true }\n",
    "more.yaml": `include: [config.yaml]\n${
      deployment({ model: "openai/gpt-4o", api_key: "k" })
    }\n`,
  };
  await withFiles(files, async (folder) => {
    const { model_list, litellm_settings } = await readConfigFile(`${folder}/config.yaml`);
    assertEquals([(model_list as unknown[]).length, litellm_settings], [1, { drop_params: true }]);
  });
});

const bomb = "a: &a [x,x,x,x,x,x,x,x,x]\n" +
  Array.from("bcdefghi", (name, at) => {
    const former = "abcdefghi"[at];
    return `${name}: &${name} [${Array(9).fill(`*${former}`).join(",")}]\n`;
  }).join("") + "model_list: *i\n";

const refused: Readonly<
  Record<string, { readonly yaml: string | Uint8Array; readonly reason: RegExp }>
> = {
  "YAML with nested aliases": { yaml: bomb, reason: /too many nested aliases/ },
  "a text that is no YAML": {
    yaml: 'model_list:\n  - api_key: "sk-secret\n   x: [',
    reason: /^(?!.*sk-secret).*is not YAML/,
  },
  "another YAML file": {
    yaml: "services: {}\n",
    reason: /neither model_list nor general_settings/,
  },
  "a list": { yaml: "- 1\n", reason: /not a configuration of LiteLLM/ },
  "Latin-1": { yaml: new Uint8Array([0x6d, 0xe9, 0x0a]), reason: /not in UTF-8/ },
  "an include that is missing": {
    yaml: "include: [none.yaml]\nmodel_list: []\n",
    reason: /there is no file .*none\.yaml/,
  },
};

for (const [name, { yaml, reason }] of Object.entries(refused)) {
  Deno.test(`litellm: refuses ${name}`, async () => {
    await withFiles({ "config.yaml": yaml }, async (folder) => {
      const error = await assertRejects(
        () => readConfigFile(`${folder}/config.yaml`),
        ImportRefusal,
      );
      assert(reason.test(error.reason), error.reason);
    });
  });
}
