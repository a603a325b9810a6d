import type { UpstreamRecord } from "../../../lib/store/catalog/mod.ts";
import {
  presetEndpoints,
  type PresetName,
  presetNamed,
} from "../../../lib/upstreams/presets/mod.ts";

/** The counterpart of a provider of LiteLLM. */
interface Provider {
  readonly preset?: PresetName;
  /** The base URL of its Chat Completions API, for a provider without a preset. */
  readonly baseUrl?: string;
  /** The variables in which LiteLLM looks for its key. */
  readonly variables?: readonly string[];
}

const cohere: Provider = {
  baseUrl: "https://api.cohere.ai/compatibility/v1",
  variables: ["COHERE_API_KEY", "CO_API_KEY"],
};
const openAiLike: Provider = { variables: ["OPENAI_API_KEY"] };

/**
 * Providers by the prefix of `litellm_params.model`, from LiteLLM's reference of providers
 * (2026-11-23). All others have an API that we do not speak.
 */
const providers: Readonly<Partial<Record<string, Provider>>> = {
  openai: { preset: "openai", variables: ["OPENAI_API_KEY"] },
  "text-completion-openai": { preset: "openai", variables: ["OPENAI_API_KEY"] },
  azure: { preset: "azure", variables: ["AZURE_API_KEY"] },
  azure_text: { preset: "azure", variables: ["AZURE_API_KEY"] },
  anthropic: { preset: "anthropic", variables: ["ANTHROPIC_API_KEY"] },
  gemini: { preset: "google", variables: ["GEMINI_API_KEY", "GOOGLE_API_KEY"] },
  openrouter: { preset: "openrouter", variables: ["OPENROUTER_API_KEY"] },
  deepseek: { preset: "deepseek", variables: ["DEEPSEEK_API_KEY"] },
  mistral: { preset: "mistral", variables: ["MISTRAL_API_KEY"] },
  codestral: { baseUrl: "https://codestral.mistral.ai/v1", variables: ["CODESTRAL_API_KEY"] },
  groq: { preset: "groq", variables: ["GROQ_API_KEY"] },
  xai: { preset: "xai", variables: ["XAI_API_KEY"] },
  together_ai: { preset: "together", variables: ["TOGETHERAI_API_KEY", "TOGETHER_API_KEY"] },
  fireworks_ai: { preset: "fireworks", variables: ["FIREWORKS_AI_API_KEY", "FIREWORKS_API_KEY"] },
  cerebras: { preset: "cerebras", variables: ["CEREBRAS_API_KEY"] },
  moonshot: { preset: "moonshot", variables: ["MOONSHOT_API_KEY"] },
  dashscope: { preset: "qwen", variables: ["DASHSCOPE_API_KEY"] },
  zai: { preset: "zai", variables: ["ZAI_API_KEY"] },
  ollama: { preset: "ollama" },
  ollama_chat: { preset: "ollama" },
  hosted_vllm: { preset: "vllm", variables: ["HOSTED_VLLM_API_KEY"] },
  lm_studio: { preset: "lm-studio", variables: ["LM_STUDIO_API_KEY"] },
  llamafile: { baseUrl: "http://127.0.0.1:8080/v1" },
  custom_openai: openAiLike,
  openai_like: openAiLike,
  litellm_proxy: { variables: ["LITELLM_PROXY_API_KEY"] },
  perplexity: { baseUrl: "https://api.perplexity.ai", variables: ["PERPLEXITYAI_API_KEY"] },
  nvidia_nim: {
    baseUrl: "https://integrate.api.nvidia.com/v1",
    variables: ["NVIDIA_NIM_API_KEY"],
  },
  deepinfra: {
    baseUrl: "https://api.deepinfra.com/v1/openai",
    variables: ["DEEPINFRA_API_KEY"],
  },
  sambanova: { baseUrl: "https://api.sambanova.ai/v1", variables: ["SAMBANOVA_API_KEY"] },
  novita: { baseUrl: "https://api.novita.ai/v3/openai", variables: ["NOVITA_API_KEY"] },
  hyperbolic: { baseUrl: "https://api.hyperbolic.xyz/v1", variables: ["HYPERBOLIC_API_KEY"] },
  nebius: { baseUrl: "https://api.studio.nebius.ai/v1", variables: ["NEBIUS_API_KEY"] },
  volcengine: {
    baseUrl: "https://ark.cn-beijing.volces.com/api/v3",
    variables: ["VOLCENGINE_API_KEY", "ARK_API_KEY"],
  },
  minimax: { baseUrl: "https://api.minimax.io/v1", variables: ["MINIMAX_API_KEY"] },
  voyage: { baseUrl: "https://api.voyageai.com/v1", variables: ["VOYAGE_API_KEY"] },
  jina_ai: { baseUrl: "https://api.jina.ai/v1", variables: ["JINA_AI_API_KEY"] },
  baseten: { baseUrl: "https://inference.baseten.co/v1", variables: ["BASETEN_API_KEY"] },
  friendliai: {
    baseUrl: "https://api.friendli.ai/serverless/v1",
    variables: ["FRIENDLI_TOKEN"],
  },
  featherless_ai: {
    baseUrl: "https://api.featherless.ai/v1",
    variables: ["FEATHERLESS_AI_API_KEY"],
  },
  lambda_ai: { baseUrl: "https://api.lambda.ai/v1", variables: ["LAMBDA_API_KEY"] },
  cohere,
  cohere_chat: cohere,
};

/** Providers with an API that we do not speak, or with another way to sign requests. */
const unspoken = new Set([
  "ai21",
  "cloudflare",
  "databricks",
  "github",
  "github_copilot",
  "huggingface",
  "oci",
  "predibase",
  "replicate",
  "sagemaker",
  "sagemaker_chat",
  "snowflake",
  "triton",
  "vllm",
  "watsonx",
]);

/** Clouds, whose deployments have readers of their own. */
const clouds = new Set([
  "azure_ai",
  "bedrock",
  "bedrock_converse",
  "bedrock_mantle",
  "vertex_ai",
  "vertex_ai_beta",
]);

/** A provider's name and its own name of the model. */
interface ProviderModel {
  readonly provider: string;
  readonly model: string;
}

/**
 * Splits `litellm_params.model`. Without a prefix, LiteLLM knows the vendor by the model's name;
 * an own `api_base` makes it an API like OpenAI's.
 */
export function providerOf(
  model: string,
  { custom, hasBase }: { readonly custom?: string; readonly hasBase: boolean },
): ProviderModel {
  const [, prefix = "", rest = ""] = /^([\w-]+)\/(.*)$/s.exec(model) ?? [];
  const isPrefix = isProvider(prefix);
  if (custom !== undefined) {
    return { provider: custom, model: isPrefix && prefix === custom ? rest : model };
  }
  if (isPrefix) return { provider: prefix, model: rest };
  return { provider: hasBase ? "openai" : vendorOf(model), model };
}

function isProvider(name: string): boolean {
  return Object.hasOwn(providers, name) || unspoken.has(name) || clouds.has(name);
}

function vendorOf(model: string): string {
  if (/^claude-/.test(model)) return "anthropic";
  return /^(gpt-|chatgpt-|o\d|text-embedding-|dall-e|tts-|whisper-|ft:|omni-)/.test(model)
    ? "openai"
    : "";
}

/** The addresses of a deployment and the preset that knows their peculiarities. */
export type DeploymentAddress = Pick<UpstreamRecord, "endpoints" | "preset" | "auth" | "cloud">;

/** The addresses of a provider; a text says why there are none. */
export function addressOf(provider: string, base: string | undefined): DeploymentAddress | string {
  const known = Object.hasOwn(providers, provider) ? providers[provider] : undefined;
  if (!known) return provider === "" ? noVendor : `Tessera does not speak the API of ${provider}`;
  const own = base && trimmedBase(provider, base);
  if (known.preset === "openai" && own && URL.parse(own)?.hostname !== "api.openai.com") {
    return { endpoints: { "chat-completions": own } };
  }
  if (known.preset) return presetAddress(known.preset, own);
  const address = own ?? known.baseUrl;
  return address ? { endpoints: { "chat-completions": address } } : noBase;
}

const noVendor = "no known vendor has this name: add a prefix such as openai/";
const noBase = "it needs api_base";

function presetAddress(name: PresetName, own: string | undefined): DeploymentAddress | string {
  const preset = presetNamed(name);
  const base = own ?? preset.baseUrl;
  if (base === undefined) return noBase;
  const { auth } = preset;
  return { preset: name, endpoints: presetEndpoints(preset, base), ...(auth && { auth }) };
}

/** LiteLLM appends less to Anthropic's and Azure's address than others write into it. */
function trimmedBase(provider: string, base: string): string {
  const own = base.replace(/\/+$/, "");
  if (provider === "anthropic") return own.replace(/\/v1(\/messages)?$/, "");
  if (provider.startsWith("azure")) return own.replace(/\/openai(\/.*)?$/, "");
  return own.replace(/\/chat\/completions$/, "");
}

/** The variables in which LiteLLM looks for a provider's key. */
export function keyVariablesOf(provider: string): readonly string[] {
  return (Object.hasOwn(providers, provider) && providers[provider]?.variables) || [];
}

/** True if the provider's API needs no key. */
export function needsNoKey(provider: string): boolean {
  const preset = Object.hasOwn(providers, provider) ? providers[provider]?.preset : undefined;
  return preset !== undefined && !presetNamed(preset).needsKey || provider === "llamafile";
}
