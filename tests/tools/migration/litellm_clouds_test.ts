import { assertEquals } from "@std/assert";
import { parse } from "yaml";
import { planOf, type Row, rowsOf } from "./litellm_clouds_plan.ts";
import {
  azureConfig,
  azureVariables,
  bedrockConfig,
  bedrockVariables,
  vertexConfig,
  vertexVariables,
} from "./litellm_clouds_sample.ts";

type Line = readonly [field: string, outcome: string, how: string];

interface Moved {
  readonly config: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly rows: readonly Row[];
  /** The fields that are changed or left out. */
  readonly lines: readonly Line[];
  readonly notices: readonly string[];
}

const perCall = "an upstream has no limits here: set limits of groups, accounts or keys";
const ownEndpoint = "own endpoints of Vertex AI have APIs of their own";
const converse = "Bedrock serves models of amazon by Converse, which Tessera does not speak";
const profileArn = "arn:aws:bedrock:us-east-1:111122223333:application-inference-profile/abc123";
const haiku = "anthropic.claude-haiku-4-5-20251001-v1:0";
const sonnet = "anthropic.claude-sonnet-4-5-20250929-v1:0";
const eu = "azure-acme-eu.openai.azure.com";
const llama = "meta/llama-4-maverick-17b-128e-instruct-maas";
const account = "service_account";
const machine = "its machine signs in, which needs allowMachineIdentity in the configuration " +
  "file. Check it and enable it in the console";

const moved: Readonly<Record<string, Moved>> = {
  Bedrock: {
    config: bedrockConfig,
    variables: bedrockVariables,
    rows: [
      ["claude-sonnet", "bedrock-us-east-1", `bedrock us-east-1: us.${sonnet}`, "aws"],
      ["claude-sonnet", "bedrock-eu-central-1", `bedrock eu-central-1: eu.${sonnet}`, "aws"],
      ["claude-opus", "bedrock-us-east-1-2", `bedrock us-east-1: ${profileArn}`, "key"],
      [
        "claude-guarded",
        "bedrock-invoke-us-west-2",
        `bedrock-invoke us-west-2 gr-1:1: us.${haiku}`,
        "key",
      ],
      [
        "claude-guarded-2",
        "bedrock-invoke-us-west-2-2",
        `bedrock-invoke us-west-2 gr-2:DRAFT: us.${haiku}`,
        "key",
      ],
      [
        "gpt-guarded",
        "bedrock-us-west-2",
        "bedrock us-west-2: openai.gpt-oss-20b-1:0",
        "key, disabled",
      ],
      [
        "claude-pod",
        "bedrock-eu-west-1",
        `bedrock eu-west-1: ${haiku}`,
        "aws_web_identity, disabled",
      ],
      [
        "claude-private",
        "bedrock-invoke-us-east-1-vpce-1.bedrock-runtime.us",
        "bedrock-invoke us-east-1: us.anthropic.claude-opus-4-7",
        "aws",
      ],
      ["gpt-oss", "bedrock-us-west-2-2", "bedrock us-west-2: openai.gpt-oss-120b-1:0", "key"],
      ["gpt-5.5", "bedrock-mantle-us-east-2", "bedrock-mantle us-east-2: openai.gpt-5.5", "key"],
      [
        "claude-platform",
        "claude-on-aws-us-east-1",
        "claude-on-aws us-east-1 wrkspc_01AbCd: claude-opus-5",
        "key",
      ],
      [
        "claude-laptop",
        "bedrock-us-west-2-3",
        `bedrock us-west-2: ${haiku}`,
        "nothing, disabled",
      ],
    ],
    lines: [
      ["aws_profile_name", "unknown", "it names a section of a file on a workstation"],
      ["aws_region_name", "unknown", "left out with its model"],
      ["aws_session_tags", "unknown", "Tessera assumes a role without session tags"],
      ["aws_session_token", "changed", "it ends within hours: add lasting keys"],
      ["aws_web_identity_token", "changed", "the file of AWS_WEB_IDENTITY_TOKEN_FILE"],
      ["guardrailConfig", "changed", "sent with InvokeModel, without a trace"],
      ["guardrailConfig", "unknown", "not for this model: the upstream is disabled"],
      ["model", "changed", "called by Bedrock's Messages instead of Converse"],
      ["model", "changed", "in us-west-2, LiteLLM's region if none is set"],
      ["model", "unknown", converse],
      ["model", "unknown", "its id does not say which vendor made the model: set base_model"],
      ["model", "unknown", "it is an agent of Bedrock, not a model"],
      ["order", "changed", "priority: a lower order is a higher priority"],
      ["rpm", "unknown", perCall],
    ],
    notices: [
      "litellm-bedrock-us-west-2 is disabled: LiteLLM applied a guardrail of Bedrock, which Tessera " +
      "sends for Claude only. Check it and enable it in the console",
      `litellm-bedrock-eu-west-1 is disabled: ${machine}`,
      "litellm-bedrock-us-west-2-3 is disabled: it signs in with a profile of AWS's own files. Add " +
      "its key in the console",
    ],
  },
  "Vertex AI": {
    config: vertexConfig,
    variables: vertexVariables,
    rows: [
      ["gemini-pro", "vertex-global", "vertex global: gemini-3-pro", account],
      ["gemini-flash", "vertex-europe-west1", "vertex europe-west1: gemini-3-flash", account],
      ["claude-sonnet", "vertex-us-east5", "vertex us-east5: claude-sonnet-4-5@20250929", account],
      ["claude-opus", "vertex-eu", "vertex eu: claude-opus-5", "google_metadata, disabled"],
      ["llama", "vertex-us-east5-2", `vertex us-east5: ${llama}`, "nothing, disabled"],
      [
        "gpt-oss",
        "vertex-us-central1",
        "vertex us-central1: openai/gpt-oss-120b-maas",
        "authorized_user",
      ],
      ["express", "vertex-express", "vertex: gemini-3-flash", "key"],
    ],
    lines: [
      [
        "additional_drop_params",
        "unknown",
        "conversions leave out what an upstream does not know, and note it",
      ],
      ["cache_control_injection_points", "unknown", "Tessera sets cache breakpoints itself"],
      ["model", "changed", "in us-central1, LiteLLM's location if none is set"],
      ["model", "unknown", ownEndpoint],
      ["model", "unknown", "it is an agent of Vertex AI, not a model"],
      ["model", "unknown", "it needs vertex_project"],
      [
        "vertex_count_tokens_location",
        "unknown",
        "tokens are counted in the upstream's location",
      ],
      ["vertex_credentials", "unknown", "the file of its credentials cannot be read here"],
      ["vertex_project", "unknown", "left out with its model"],
      ["base_model", "changed", "its price from the catalog"],
    ],
    notices: [
      `litellm-vertex-eu is disabled: ${machine}`,
      "litellm-vertex-us-east5-2 is disabled: the file of its credentials cannot be read here. Add " +
      "its key in the console",
    ],
  },
  Azure: {
    config: azureConfig,
    variables: azureVariables,
    rows: [
      ["gpt-5.1", eu, "preset: gpt-51-europe", "key"],
      ["gpt-5.1", "azure-acme-us.openai.azure.com", "azure-openai: gpt-51-us", "entra"],
      ["o-model", "azure-gateway.acme.example", "azure-openai 2024-10-21: our-o3", "key"],
      ["codex", `${eu}-2`, "preset: codex-mini", "key"],
      ["gpt-token", `${eu}-3`, "azure-openai: gpt-51-europe", "key"],
      ["gpt-oidc", `${eu}-4`, "azure-openai: gpt-51-europe", "nothing, disabled"],
      ["gpt-person", `${eu}-5`, "azure-openai: gpt-51-europe", "nothing, disabled"],
      [
        "claude-opus",
        "foundry-claude-acme.services.ai.azure.com",
        "foundry: claude-opus-5",
        "key",
      ],
      ["grok", "foundry-acme.services.ai.azure.com", "azure-openai: grok-4", "key"],
    ],
    lines: [
      ["api_key", "unknown", "left out with its model"],
      ["api_version", "changed", "left out: Azure's v1 API has no versions"],
      ["azure_ad_token", "changed", "it ends within an hour: add a key or an application"],
      ["azure_ad_token", "unknown", "Tessera fetches no tokens of other providers"],
      ["azure_password", "unknown", "Tessera signs in as an application only"],
      ["azure_username", "unknown", "Tessera signs in as an application only"],
      ["extra_headers", "unknown", "Tessera has no such setting for an upstream"],
      ["model", "unknown", "its address is not one of Azure AI Foundry"],
      ["base_model", "changed", "its price from the catalog"],
    ],
    notices: [
      `litellm-${eu}-4 is disabled: its token comes from another provider. Add its key in the ` +
      "console",
      `litellm-${eu}-5 is disabled: AZURE_API_KEY is not set. Add its key in the console`,
    ],
  },
};

for (const [name, { config, variables, rows, lines, notices }] of Object.entries(moved)) {
  Deno.test(`litellm: each line of a configuration of ${name} is accounted for`, async () => {
    const { plan, fields } = await planOf(config, variables);
    assertEquals(rowsOf(plan), rows);
    const others = fields.filter(({ outcome }) => outcome !== "taken");
    assertEquals(others.map(({ field, outcome, how = "" }): Line => [field, outcome, how]), lines);
    assertEquals(plan.notices, notices);
    const { model_list } = parse(config) as { model_list: readonly Record<string, object>[] };
    const written = model_list.flatMap(({ litellm_params = {}, model_info = {} }) =>
      Object.keys({ ...litellm_params, ...model_info })
    );
    const counts = Map.groupBy(fields, ({ field }) => field);
    for (const field of new Set(written)) {
      const count = counts.get(field)?.reduce((sum, line) => sum + line.count, 0);
      assertEquals(count, written.filter((one) => one === field).length, field);
    }
  });

  Deno.test(`litellm: no report of ${name} holds a secret`, async () => {
    const { plan, fields } = await planOf(config, variables);
    const printed = JSON.stringify([fields, plan.notices]);
    const secrets = Object.entries(variables).filter(([variable]) =>
      /KEY|SECRET|JSON|TOKEN/.test(variable)
    );
    assertEquals(secrets.filter(([, secret]) => printed.includes(secret)), []);
  });
}

const user = { type: "authorized_user", client_id: "c", client_secret: "s", refresh_token: "r" };
const astray: readonly (readonly [params: Record<string, unknown>, why: string])[] = [
  [
    { model: "bedrock/us.anthropic.claude-opus-5", aws_region_name: "evil.example/#" },
    "its region must be a region such as eu-central-1",
  ],
  [
    { model: "vertex_ai/gemini-3-pro", vertex_project: "p", vertex_location: "evil.example/#" },
    "its location must be a location such as global or europe-west1",
  ],
  [
    { model: "vertex_ai/gemini-3-pro", vertex_project: "p/../x", vertex_credentials: user },
    "its project must be the id of a project of Google Cloud",
  ],
  [
    { model: "bedrock/claude_platform/claude-opus-5", workspace_id: "w\nx: y", api_key: "k" },
    "its workspaceId must be a workspace such as wrkspc_01AbCd",
  ],
];

for (const [params, why] of astray) {
  Deno.test(`litellm: no place leaves the address of its cloud: ${JSON.stringify(params)}`, async () => {
    const row = { model_name: "m", litellm_params: params };
    const { plan, fields } = await planOf(`model_list: [${JSON.stringify(row)}]`, {});
    assertEquals(plan.upstreams, []);
    assertEquals(
      fields.find(({ field, how }) => field === "model" && how === why)?.outcome,
      "unknown",
    );
  });
}
