import { assertEquals } from "@std/assert";
import { planNewApi } from "../../../tools/migration/new_api/plan.ts";
import { FieldReport, type SourceFields } from "../../../tools/migration/source_object.ts";
import { serviceAccount } from "./litellm_clouds_sample.ts";

const nowMs = Date.parse("2026-01-01T00:00:00Z");

/** The upstreams of a channel: surface and place, models, kinds of credentials; and what changed. */
function moved(channel: SourceFields) {
  const report = new FieldReport();
  const row = { id: 7, name: "cloud", group: "default", status: 1, ...channel };
  const { upstreams } = planNewApi(new Map([["channels", [row]]]), { report, nowMs });
  const rows = upstreams.map(({ id, cloud, models, credentials, enabled }) => ({
    id: `${id}${enabled ? "" : ", disabled"}`,
    place: [cloud?.surface, cloud?.region ?? cloud?.location ?? cloud?.project].join(" "),
    models: models.map((model) => `${model.id} = ${model.upstreamModel ?? model.id}`),
    credentials: credentials.map((one) => one.startsWith("{") ? JSON.parse(one).type : one),
  }));
  const lines = report.lines().filter(({ outcome }) => outcome !== "taken")
    .map(({ field, how }) => `${field}: ${how}`);
  return { rows, lines };
}

const named = "name: an upstream is named after its type and number";

Deno.test("new-api: a channel of AWS becomes an upstream for each region of its keys", () => {
  const { rows, lines } = moved({
    type: 33,
    key: "AKIA|secret|us-east-1\nABSK|eu-central-1\nnothing",
    models: "claude-sonnet-4-5-20250929,claude-opus-4-6,claude-opus-4-1-20250805,nova-pro-v1:0",
  });
  const sonnet = "anthropic.claude-sonnet-4-5-20250929-v1:0";
  const opus = "anthropic.claude-opus-4-1-20250805-v1:0";
  assertEquals(rows, [
    {
      id: "new-api-bedrock-us-east-1-7",
      place: "bedrock us-east-1",
      models: [
        `claude-sonnet-4-5-20250929 = us.${sonnet}`,
        "claude-opus-4-6 = us.anthropic.claude-opus-4-6-v1",
        `claude-opus-4-1-20250805 = us.${opus}`,
      ],
      credentials: ["aws"],
    },
    {
      id: "new-api-bedrock-eu-central-1-7",
      place: "bedrock eu-central-1",
      models: [
        `claude-sonnet-4-5-20250929 = eu.${sonnet}`,
        "claude-opus-4-6 = eu.anthropic.claude-opus-4-6-v1",
        `claude-opus-4-1-20250805 = ${opus}`,
      ],
      credentials: ["ABSK"],
    },
  ]);
  assertEquals(lines, [
    "key: without keys that name no region",
    "models: the models of Claude",
    named,
  ]);
});

Deno.test("new-api: a channel of Vertex AI becomes an upstream for each location", () => {
  const { rows, lines } = moved({
    type: 41,
    key: JSON.stringify(serviceAccount, null, 2),
    other: '{"default": "global", "claude-sonnet-4-5-20250929": "us-east5"}',
    models: "gemini-3-pro,claude-sonnet-4-5-20250929",
  });
  assertEquals(rows, [
    {
      id: "new-api-vertex-global-7",
      place: "vertex global",
      models: ["gemini-3-pro = gemini-3-pro"],
      credentials: ["service_account"],
    },
    {
      id: "new-api-vertex-us-east5-7",
      place: "vertex us-east5",
      models: ["claude-sonnet-4-5-20250929 = claude-sonnet-4-5@20250929"],
      credentials: ["service_account"],
    },
  ]);
  assertEquals(lines, [named]);
});

Deno.test("new-api: API keys of Vertex AI call Gemini only", () => {
  const { rows } = moved({
    type: 41,
    key: "AQ.key",
    settings: '{"vertex_key_type": "api_key"}',
    models: "gemini-3-pro,claude-opus-5",
  });
  assertEquals(rows, [{
    id: "new-api-vertex-express-7",
    place: "vertex ",
    models: ["gemini-3-pro = gemini-3-pro"],
    credentials: ["AQ.key"],
  }]);
});

for (
  const [name, channel, how] of [
    ["AWS without Claude", { type: 33, key: "a|b|us-east-1", models: "nova-pro-v1:0" }, "type: "],
    ["AWS without a region", { type: 33, key: "a", models: "claude-opus-5" }, "type: its key"],
    ["Vertex AI with another key", { type: 41, key: "a", models: "gemini-3-pro" }, "type: its key"],
  ] as const
) {
  Deno.test(`new-api: leaves out a channel of ${name}, and says why`, () => {
    const { rows, lines } = moved(channel);
    assertEquals([rows, lines.some((line) => line.startsWith(how))], [[], true], lines.join());
  });
}

Deno.test("new-api: a region that would leave the address of its cloud is refused", () => {
  const { rows, lines } = moved({
    type: 33,
    key: "AKIA|secret|evil.example/#",
    models: "claude-opus-5",
  });
  assertEquals(rows, []);
  assertEquals(lines.includes("type: its region must be a region such as eu-central-1"), true);
});
