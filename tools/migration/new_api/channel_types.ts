import type { UpstreamRecord } from "../../../lib/store/catalog/mod.ts";
import {
  presetEndpoints,
  type PresetName,
  presetNamed,
} from "../../../lib/upstreams/presets/mod.ts";

/** The counterpart of a type of channel. */
interface ChannelType {
  readonly name: string;
  readonly preset?: PresetName;
  /** The address where a channel has none, before `path`. */
  readonly baseUrl?: string;
  /** The path that new-api appends for Chat Completions, for a type without a preset. */
  readonly path?: string;
}

/** Channel types by their number, from new-api's constants (2026-11-23); others are not spoken. */
const channelTypes: Readonly<Partial<Record<number, ChannelType>>> = {
  1: { name: "openai", preset: "openai", path: "/v1" },
  3: { name: "azure", preset: "azure" },
  4: { name: "ollama", preset: "ollama" },
  6: { name: "openaimax", baseUrl: "https://api.openaimax.com", path: "/v1" },
  7: { name: "ohmygpt", baseUrl: "https://api.ohmygpt.com", path: "/v1" },
  8: { name: "custom", path: "" },
  9: { name: "ails", baseUrl: "https://api.caipacity.com", path: "/v1" },
  10: { name: "aiproxy", baseUrl: "https://api.aiproxy.io", path: "/v1" },
  12: { name: "api2gpt", baseUrl: "https://api.api2gpt.com", path: "/v1" },
  13: { name: "aigc2d", baseUrl: "https://api.aigc2d.com", path: "/v1" },
  14: { name: "anthropic", preset: "anthropic" },
  17: { name: "ali", preset: "qwen", baseUrl: "https://dashscope.aliyuncs.com" },
  19: { name: "360", baseUrl: "https://api.360.cn", path: "/v1" },
  20: { name: "openrouter", preset: "openrouter" },
  22: { name: "fastgpt", baseUrl: "https://fastgpt.run/api/openapi", path: "/v1" },
  24: { name: "gemini", preset: "google" },
  25: { name: "moonshot", preset: "moonshot", baseUrl: "https://api.moonshot.cn" },
  26: { name: "zhipu", baseUrl: "https://open.bigmodel.cn", path: "/api/paas/v4" },
  27: { name: "perplexity", baseUrl: "https://api.perplexity.ai", path: "" },
  31: { name: "lingyiwanwu", baseUrl: "https://api.lingyiwanwu.com", path: "/v1" },
  34: { name: "cohere", baseUrl: "https://api.cohere.ai", path: "/compatibility/v1" },
  35: { name: "minimax", baseUrl: "https://api.minimax.chat", path: "/v1" },
  38: { name: "jina", baseUrl: "https://api.jina.ai", path: "/v1" },
  40: { name: "siliconflow", baseUrl: "https://api.siliconflow.cn", path: "/v1" },
  42: { name: "mistral", preset: "mistral" },
  43: { name: "deepseek", preset: "deepseek" },
  44: { name: "moka", baseUrl: "https://api.moka.ai", path: "/v1" },
  45: { name: "volcengine", baseUrl: "https://ark.cn-beijing.volces.com", path: "/api/v3" },
  46: { name: "baidu", baseUrl: "https://qianfan.baidubce.com", path: "/v2" },
  47: { name: "xinference", path: "/v1" },
  48: { name: "xai", preset: "xai" },
  53: { name: "submodel", baseUrl: "https://llm.submodel.ai", path: "/v1" },
};

/** Addresses that new-api abbreviates: those of subscriptions for coding. */
const planBases: Readonly<Partial<Record<string, UpstreamRecord["endpoints"]>>> = {
  "glm-coding-plan": {
    "chat-completions": "https://open.bigmodel.cn/api/coding/paas/v4",
    messages: "https://open.bigmodel.cn/api/anthropic",
  },
  "glm-coding-plan-international": {
    "chat-completions": "https://api.z.ai/api/coding/paas/v4",
    messages: "https://api.z.ai/api/anthropic",
  },
  "kimi-coding-plan": {
    "chat-completions": "https://api.kimi.com/coding/v1",
    messages: "https://api.kimi.com/coding",
  },
  "doubao-coding-plan": {
    "chat-completions": "https://ark.cn-beijing.volces.com/api/coding/v3",
    messages: "https://ark.cn-beijing.volces.com/api/coding",
  },
};

/** A channel's name of its kind and its addresses. */
export interface ChannelAddress extends Pick<UpstreamRecord, "endpoints" | "preset" | "auth"> {
  readonly kind: string;
}

/** The addresses of a channel; a text says why there are none. */
export function channelAddress(type: number, base: string | undefined): ChannelAddress | string {
  const known = channelTypes[type];
  if (!known) return "Tessera does not speak the API of this type of channel";
  const plan = base !== undefined && Object.hasOwn(planBases, base) ? planBases[base] : undefined;
  if (plan) return { kind: known.name, endpoints: plan };
  const own = base?.replace(/\/+$/, "");
  const isForeign = known.preset === "openai" && own !== undefined &&
    URL.parse(own)?.hostname !== "api.openai.com";
  if (known.preset && !isForeign) {
    return presetAddress(known.preset, own ?? known.baseUrl, known.name);
  }
  const address = own ?? known.baseUrl;
  if (address === undefined) return "the address is missing";
  const whole = address.replace(/\/chat\/completions$/, "");
  return {
    kind: known.name,
    endpoints: { "chat-completions": whole === address ? address + (known.path ?? "") : whole },
  };
}

function presetAddress(
  name: PresetName,
  own: string | undefined,
  kind: string,
): ChannelAddress | string {
  const preset = presetNamed(name);
  const base = own ?? preset.baseUrl;
  if (base === undefined) return "the address is missing";
  const { auth } = preset;
  const endpoints = presetEndpoints(preset, base.replace(/\/(openai|v1)$/, ""));
  return { kind, preset: name, endpoints, ...(auth && { auth }) };
}
