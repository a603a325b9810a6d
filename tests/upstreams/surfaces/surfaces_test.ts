import { assert, assertEquals, assertThrows } from "@std/assert";
import { loadConfig } from "../../../lib/config.ts";
import { type Cloud, surfaces } from "../../../lib/store/catalog/mod.ts";
import { surfaceCall } from "../../../lib/upstreams/surfaces/call.ts";
import { surfaceListing } from "../../../lib/upstreams/surfaces/listing.ts";
import {
  audienceOf,
  priceRegion,
  signingOf,
  speaks,
  surfaceEndpoints,
  surfaceHeaders,
  surfaceModels,
  surfaceTable,
} from "../../../lib/upstreams/surfaces/mod.ts";

const full = { region: "eu-central-1", project: "p1", workspaceId: "wrkspc_1" };

function declared(cloud: Cloud, more: Record<string, unknown> = {}) {
  const upstreams = [{ id: "up", cloud, apiKeys: ["key"], ...more }];
  return loadConfig({ TESSERA_CONFIG: "file" }, () => JSON.stringify({ upstreams })).upstreams[0];
}

for (const surface of surfaces) {
  Deno.test(`surface ${surface}: a place and a key are all that a configuration must say`, () => {
    const row = surfaceTable[surface];
    const more = row.baseUrl === undefined ? { baseUrl: row.baseUrlExample } : {};
    const { cloud, endpoints, models } = declared({ surface, ...full }, more);
    assertEquals(cloud?.surface, surface);
    assertEquals(Object.keys(endpoints).sort(), Object.keys(row.paths).sort());
    for (const url of Object.values(endpoints)) assert(!/[{}]/.test(url) && URL.canParse(url), url);
    assert(models.every(({ id, upstreamModel = "" }) => !/[{}]/.test(id + upstreamModel)));
    for (const name of row.needs) {
      if (surface === "vertex") continue; // without a project it is the express mode
      const lacking = { surface, ...full, [name]: undefined };
      const error = assertThrows(() => declared(lacking, more), Error);
      assert(error.message.includes(`needs ${name}`), error.message);
    }
  });
}

Deno.test("Vertex AI has a host for each kind of location, and an express mode without a project", () => {
  const hostIn = (location?: string) =>
    new URL(surfaceEndpoints({ surface: "vertex", project: "p1", location }).messages ?? "").host;
  assertEquals(hostIn(), "aiplatform.googleapis.com");
  assertEquals(hostIn("eu"), "aiplatform.eu.rep.googleapis.com");
  assertEquals(hostIn("europe-west1"), "europe-west1-aiplatform.googleapis.com");
  assertEquals(surfaceEndpoints({ surface: "vertex" }), {
    "generate-content": "https://aiplatform.googleapis.com/v1beta1/publishers/google",
  });
});

Deno.test("signatures and tokens are for the service of the surface", () => {
  const signed = surfaces.map((surface) => signingOf({ cloud: { surface, ...full } })?.service);
  assertEquals(signed, [
    "bedrock",
    "bedrock-mantle",
    "bedrock",
    "aws-external-anthropic",
    undefined,
    undefined,
    undefined,
  ]);
  assertEquals(signingOf({}), undefined);
  assertEquals(audienceOf({ cloud: { surface: "foundry" } }), "https://ai.azure.com/.default");
});

Deno.test("a region's profile serves the vendor's names", () => {
  const named = (region: string) => surfaceModels({ surface: "bedrock", region })[0]?.upstreamModel;
  assertEquals(named("us-east-1"), "us.anthropic.claude-*");
  assertEquals(named("us-gov-west-1"), "us-gov.anthropic.claude-*");
  assertEquals(named("eu-central-1"), "eu.anthropic.claude-*");
  assertEquals(named("ap-northeast-1"), "jp.anthropic.claude-*");
  assertEquals(named("ap-south-1"), "apac.anthropic.claude-*");
  assertEquals(named("sa-east-1"), "global.anthropic.claude-*");
});

Deno.test("a model is called in the formats that serve it", () => {
  const on = (surface: Cloud["surface"], model: string) =>
    (["chat-completions", "responses", "messages", "generate-content"] as const)
      .filter((format) => speaks({ cloud: { surface } }, format, model)).join(" ");
  assertEquals(on("bedrock", "us.anthropic.claude-opus-5"), "messages");
  assertEquals(on("bedrock", "openai.gpt-oss-120b-1:0"), "chat-completions responses");
  assertEquals(on("vertex", "claude-opus-5"), "messages");
  assertEquals(on("vertex", "google/gemini-3-pro"), "chat-completions");
  assertEquals(on("vertex", "gemini-3-pro"), "generate-content");
});

Deno.test("the region of a price is that of the profile, else of the endpoint", () => {
  const bedrock = { cloud: { surface: "bedrock", region: "eu-central-1" } } as const;
  const profile = "arn:aws:bedrock:eu-central-1:1:inference-profile/eu.anthropic.claude-opus-5";
  assertEquals(priceRegion(bedrock, "global.anthropic.claude-opus-5"), "global");
  assertEquals(priceRegion(bedrock, "us-gov.anthropic.claude-opus-5"), "us-gov");
  assertEquals(priceRegion(bedrock, profile), "eu");
  assertEquals(priceRegion(bedrock, "anthropic.claude-opus-5"), "eu-central-1");
  assertEquals(priceRegion({ cloud: { surface: "vertex" } }, "claude-opus-5"), "global");
  assertEquals(priceRegion({ cloud: { surface: "foundry" } }, "x"), undefined);
  assertEquals(priceRegion({}, "x"), undefined);
});

Deno.test("Azure's version of the API goes into the address", () => {
  const at = (path: string, apiVersion?: string) =>
    surfaceCall({ surface: "azure-openai", apiVersion }, {
      format: "chat-completions",
      model: "my deployment",
      wire: { path, headers: {}, body: {} },
    }).path;
  assertEquals(at("/embeddings"), "/embeddings");
  assertEquals(at("/responses", "preview"), "/responses?api-version=preview");
  assertEquals(
    at("/embeddings", "2024-10-21"),
    "/deployments/my%20deployment/embeddings?api-version=2024-10-21",
  );
});

Deno.test("Bedrock lists profiles, then the models that are called by their own ids", () => {
  const messages = "https://bedrock-runtime.eu-central-1.amazonaws.com/anthropic";
  const found = surfaceListing(
    { cloud: { surface: "bedrock" }, endpoints: { messages } },
    "messages",
  );
  assertEquals(found?.baseUrl, "https://bedrock.eu-central-1.amazonaws.com");
  const profiles = found?.listing.decode({
    inferenceProfileSummaries: [
      { inferenceProfileId: "eu.anthropic.claude-opus-5", inferenceProfileName: "EU Opus 5" },
      { inferenceProfileId: "eu.amazon.nova-pro-v1:0" },
    ],
  });
  assertEquals(profiles?.models, [{ id: "eu.anthropic.claude-opus-5", displayName: "EU Opus 5" }]);
  assertEquals(found?.listing.path(profiles?.next), "/foundation-models?byOutputModality=TEXT");
  const models = found?.listing.decode({
    modelSummaries: [
      { modelId: "anthropic.claude-3-haiku-20240307-v1:0", inferenceTypesSupported: ["ON_DEMAND"] },
      { modelId: "anthropic.claude-opus-5", inferenceTypesSupported: ["INFERENCE_PROFILE"] },
    ],
  });
  assertEquals(models, { models: [{ id: "anthropic.claude-3-haiku-20240307-v1:0" }] });
});

Deno.test("Vertex AI lists Google's models without a project", () => {
  const generate = surfaceEndpoints({ surface: "vertex", project: "p1", location: "eu" });
  const found = surfaceListing({ cloud: { surface: "vertex" }, endpoints: generate }, "messages");
  assertEquals(found?.baseUrl, "https://aiplatform.eu.rep.googleapis.com");
  assertEquals(
    found?.listing.decode({ publisherModels: [{ name: "publishers/google/models/gemini-3-pro" }] }),
    { models: [{ id: "gemini-3-pro" }] },
  );
});

Deno.test("a cloud is in place of a preset, and its parts cannot leave its host", () => {
  const cloud = { surface: "bedrock", region: "eu-central-1" } as const;
  assertThrows(() => declared(cloud, { preset: "openai" }), Error, "cannot be combined with cloud");
  assertThrows(() => declared({ ...cloud, region: "evil.test/" }), Error, "region");
  assertThrows(() => declared({ surface: "vertex", project: "a/../b" }), Error, "project");
});

Deno.test("a guardrail of Bedrock is sent with InvokeModel, and refused where nothing applies it", () => {
  const arn = "arn:aws:bedrock:eu-central-1:123456789012:guardrail/1a2b3c";
  for (const [id, version] of [["gr-1", "12"], [arn, "DRAFT"]]) {
    const { cloud } = declared({
      surface: "bedrock-invoke",
      ...full,
      guardrail: `${id}:${version}`,
    });
    assertEquals(surfaceHeaders({ cloud: { ...cloud, workspaceId: undefined } as Cloud }), {
      "x-amzn-bedrock-guardrailidentifier": id,
      "x-amzn-bedrock-guardrailversion": version,
    });
  }
  const refused = [
    ["bedrock-invoke", "gr-1"],
    ["bedrock-invoke", "gr-1:1\nx-evil: 1"],
    ["bedrock-invoke", "gr-1:0"],
    ["bedrock", "gr-1:1"],
  ] as const;
  for (const [surface, guardrail] of refused) {
    assertThrows(() => declared({ surface, ...full, guardrail }), Error, "guardrail");
  }
});

Deno.test("keys of AWS need an upstream with a region, which is said when it is saved", () => {
  const keys = { type: "aws", accessKeyId: "AKIA1", secretAccessKey: "s3cret" };
  const endpoints = { messages: "https://bedrock.example/anthropic" };
  const load = (more: Record<string, unknown>) =>
    loadConfig(
      { TESSERA_CONFIG: "file" },
      () => JSON.stringify({ upstreams: [{ id: "up", endpoints, apiKeys: [keys], ...more }] }),
    );
  for (const more of [{}, { cloud: { surface: "bedrock" } }, { cloud: { surface: "vertex" } }]) {
    const error = assertThrows(() => load(more), Error, "a surface of AWS and a region");
    assert(!error.message.includes("s3cret"));
  }
  load({ cloud: { surface: "bedrock", region: "us-east-1" } });
});
