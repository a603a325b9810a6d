import type { FormatName } from "../../canonical/mod.ts";
import type { Dialect } from "../../formats/codec.ts";
import type { Cloud, Surface, UpstreamAuth, UpstreamModel } from "../../store/catalog/mod.ts";

/** The facts about a surface of a cloud. */
export interface SurfaceRow {
  /** The cloud's own spelling. */
  readonly name: string;
  /** The base without trailing slash, with members of `Cloud` in braces; absent: every customer has another. */
  readonly baseUrl?: string;
  /** An example address, if `baseUrl` is absent. */
  readonly baseUrlExample?: string;
  /** The path after the base for each format, with the same braces. */
  readonly paths: Readonly<Partial<Record<FormatName, string>>>;
  /** The members of `Cloud` without which nothing can be called. */
  readonly needs: readonly (keyof Cloud)[];
  /** The header of a static credential, if it differs from the format's own. */
  readonly auth?: UpstreamAuth;
  /** The service that signatures of AWS name. */
  readonly service?: string;
  /** The scope of Entra's tokens. */
  readonly audience?: string;
  /** Models that it serves if none are configured; `{area}` is the area of the profiles of its region. */
  readonly models: readonly UpstreamModel[];
  /** The formats that serve a model, if not all do: the first row that matches its name there. */
  readonly speaks?: readonly (readonly [RegExp, readonly FormatName[]])[];
  /** False if the listed names differ from the callable ones. */
  readonly listsOwnNames?: false;
  /** The formats whose own vendor's features it serves. */
  readonly vendorOf: readonly FormatName[];
  /** True if the names of models may say another area than the whole world, which costs more. */
  readonly isRegional?: true;
  /** The response header with the service tier. */
  readonly tierHeader?: string;
  readonly dialects?: Readonly<Partial<Record<FormatName, Dialect>>>;
  readonly keysUrl: string;
}

/** The service tier of a call and of its answer. */
export const tierHeader = "x-amzn-bedrock-service-tier";
const bearer = { header: "authorization", prefix: "Bearer " } as const;
const openAi = ["chat-completions", "responses"] as const;
const ids = (...names: readonly string[]) => names.map((id) => ({ id }));

/** Claude by the vendor's name, and every model by the cloud's own. */
const bedrockModels = [
  { id: "claude-*", upstreamModel: "{area}anthropic.claude-*" },
  ...ids("anthropic.*", "*.anthropic.*", "arn:aws*"),
];
const hosted = ids("openai.*", "xai.*", "qwen.*", "deepseek.*", "mistral.*", "google.*");
const mantleModels = [
  { id: "claude-*", upstreamModel: "anthropic.claude-*" },
  ...ids("anthropic.*"),
  ...hosted,
];
const bedrockSpeaks = [
  [/(^|[./])anthropic\.|^arn:/, ["messages"]],
  [/./, openAi],
] as const;
const functionsOnly = { customTools: false } as const;
/** The facts of every surface of Bedrock. */
const bedrock = {
  needs: ["region"],
  auth: bearer,
  vendorOf: ["messages"],
  isRegional: true,
  tierHeader,
  keysUrl: "https://console.aws.amazon.com/bedrock/home#/api-keys",
} as const;
/** The facts of those that serve the formats of OpenAI, too. */
const bedrockWithOpenAi = {
  ...bedrock,
  speaks: bedrockSpeaks,
  dialects: { "chat-completions": functionsOnly, responses: functionsOnly },
} as const;

/** One row for each surface, from the clouds' references and SDKs (2026-11-29). */
export const surfaceTable: Readonly<Record<Surface, SurfaceRow>> = {
  bedrock: {
    ...bedrockWithOpenAi,
    name: "Amazon Bedrock",
    baseUrl: "https://bedrock-runtime.{region}.amazonaws.com",
    paths: { "chat-completions": "/openai/v1", responses: "/openai/v1", messages: "/anthropic" },
    service: "bedrock",
    models: [...bedrockModels, ...hosted],
  },
  "bedrock-mantle": {
    ...bedrockWithOpenAi,
    name: "Amazon Bedrock Mantle",
    baseUrl: "https://bedrock-mantle.{region}.api.aws",
    paths: { "chat-completions": "", responses: "", messages: "/anthropic" },
    service: "bedrock-mantle",
    models: mantleModels,
    listsOwnNames: false,
  },
  "bedrock-invoke": {
    ...bedrock,
    name: "Amazon Bedrock InvokeModel",
    baseUrl: "https://bedrock-runtime.{region}.amazonaws.com",
    paths: { messages: "" },
    service: "bedrock",
    models: bedrockModels,
    dialects: { messages: { serviceTiers: ["flex", "priority", "reserved"] } },
  },
  "claude-on-aws": {
    name: "Claude Platform on AWS",
    baseUrl: "https://aws-external-anthropic.{region}.api.aws",
    paths: { messages: "" },
    needs: ["region", "workspaceId"],
    service: "aws-external-anthropic",
    models: ids("claude-*"),
    vendorOf: ["messages"],
    keysUrl: "https://console.aws.amazon.com/claude-platform/home",
  },
  vertex: {
    name: "Vertex AI",
    baseUrl: "https://{host}",
    paths: {
      "chat-completions": "/v1/projects/{project}/locations/{location}/endpoints/openapi",
      messages: "/v1/projects/{project}/locations/{location}/publishers/anthropic",
      "generate-content": "/v1beta1/projects/{project}/locations/{location}/publishers/google",
    },
    needs: ["project"],
    auth: bearer,
    models: ids("claude-*", "gemini-*", "google/*", "meta/*", "mistralai/*", "xai/*"),
    speaks: [
      [/^claude-/, ["messages"]],
      [/\//, ["chat-completions"]],
      [/./, ["generate-content"]],
    ],
    vendorOf: ["messages"],
    isRegional: true,
    dialects: { "chat-completions": functionsOnly },
    keysUrl: "https://console.cloud.google.com/vertex-ai",
  },
  "azure-openai": {
    name: "Azure OpenAI",
    baseUrlExample: "https://RESOURCE.openai.azure.com",
    paths: { "chat-completions": "/openai/v1", responses: "/openai/v1" },
    needs: [],
    auth: { header: "api-key" },
    audience: "https://cognitiveservices.azure.com/.default",
    models: ids("*"),
    listsOwnNames: false,
    vendorOf: ["responses"],
    keysUrl: "https://ai.azure.com",
  },
  foundry: {
    name: "Claude in Microsoft Foundry",
    baseUrlExample: "https://RESOURCE.services.ai.azure.com",
    paths: { messages: "/anthropic" },
    needs: [],
    audience: "https://ai.azure.com/.default",
    models: ids("claude-*"),
    listsOwnNames: false,
    vendorOf: ["messages"],
    keysUrl: "https://ai.azure.com",
  },
};
