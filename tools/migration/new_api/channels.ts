import { isModelPattern } from "../../../lib/canonical/mod.ts";
import type { UpstreamModel, UpstreamRecord } from "../../../lib/store/catalog/mod.ts";
import { usualTimeouts } from "../../../lib/store/mod.ts";
import {
  presetEndpoints,
  type PresetName,
  presetNamed,
} from "../../../lib/upstreams/presets/mod.ts";
import { checkedCredential } from "../../../lib/upstreams/credentials/mod.ts";
import { wrongPlace } from "../cloud_address.ts";
import {
  type FieldReport,
  isFields,
  leftOutWith,
  parsed,
  type SourceFields,
  SourceObject,
} from "../source_object.ts";
import { cloudChannels } from "./cloud_channels.ts";

const enabled = 1;
const credentialsMax = 50;

interface ChannelReading {
  readonly report: FieldReport;
  /** Our groups by the names of theirs. */
  readonly groupIds: ReadonlyMap<string, string>;
}

/**
 * A channel as an upstream, or as several if a cloud serves its models at several addresses; none
 * for a type that we do not speak.
 */
export function readChannel(
  row: SourceFields,
  { report, groupIds }: ChannelReading,
): readonly UpstreamRecord[] {
  const owner = { place: "channels", name: String(row.name ?? row.id ?? "") };
  const channel = new SourceObject(row, owner, report);
  const upstreams = upstreamsOf(channel, groupIds) ?? [];
  channel.finish(upstreams.length > 0 ? channelReasons : leftOutWith(channel, "its channel"));
  return upstreams;
}

function upstreamsOf(
  channel: SourceObject,
  groupIds: ReadonlyMap<string, string>,
): readonly UpstreamRecord[] | undefined {
  const [id, type] = [channel.number("id"), channel.number("type") ?? 0];
  if (id === undefined) return channel.unknown("id", "the id is missing");
  const cloud = cloudChannels[type];
  const address = cloud ? undefined : channelAddress(type, channel.text("base_url"));
  if (typeof address === "string") return channel.unknown("type", address);
  const models = modelsOf(channel);
  if (models.length === 0) return channel.unknown("models", "the channel serves no models");
  const keys = credentialsOf(channel);
  const parts = address
    ? [{ ...address, models, credentials: keys }]
    : cloud?.(channel, { models, keys }) ?? [];
  if (typeof parts === "string") return channel.unknown("type", parts);
  const wrong = parts.map((part) => wrongPlace(part.cloud)).find((one) => one !== undefined);
  if (wrong !== undefined) return channel.unknown("type", wrong);
  channel.changed("name", "an upstream is named after its type and number");
  if (type === azureType) channel.changed("other", "left out: Azure's v1 API has no versions");
  const common = commonOf(channel, groupIds);
  return parts.map(({ kind, ...part }) => ({
    id: `new-api-${kind}-${id}`,
    ...common,
    ...part,
    enabled: common.enabled && (part.credentials.length > 0 || part.preset === "ollama"),
  }));
}

/** The fields that all upstreams of a channel share. */
function commonOf(channel: SourceObject, groupIds: ReadonlyMap<string, string>) {
  const status = channel.number("status") ?? enabled;
  if (status !== enabled) channel.changed("status", "disabled");
  const isUnclear = channel.isUnclear(["status"], "disabled");
  return {
    priority: within(channel, "priority", { least: -999_999, most: 999_999, usual: 0 }),
    weight: within(channel, "weight", { least: 1, most: 999_999, usual: 1 }),
    groups: groupsOf(channel, groupIds),
    timeouts: usualTimeouts,
    enabled: status === enabled && !isUnclear,
    origin: "console" as const,
  };
}

/** The models of the channel; `model_mapping` may lead from one name to the next. */
function modelsOf(channel: SourceObject): UpstreamModel[] {
  const mapping = channel.object("model_mapping") ?? {};
  const names = channel.list("models", ",");
  const fine = names.filter((name) => isModelPattern(name));
  if (fine.length < names.length) {
    channel.changed("models", "without names of more than 200 characters or with spaces");
  }
  return fine.slice(0, 5_000).map((id) => {
    const own = mapped(id, mapping);
    return own === id ? { id } : { id, upstreamModel: own };
  });
}

const hopsMax = 10;

function mapped(name: string, mapping: SourceFields): string {
  let own = name;
  for (let hop = 0; hop < hopsMax; hop++) {
    const next = Object.hasOwn(mapping, own) ? mapping[own] : undefined;
    if (typeof next !== "string" || next === own || !isModelPattern(next)) return own;
    own = next;
  }
  return own;
}

/** The keys of the channel, without those that new-api has disabled. */
function credentialsOf(channel: SourceObject): readonly string[] {
  const keys = keysIn(channel.text("key") ?? "");
  const info = channel.object("channel_info");
  const states = isFields(info?.multi_key_status_list) ? info.multi_key_status_list : {};
  const working = keys.filter((_, at) => (states[at] ?? enabled) === enabled);
  if (info) channel.changed("channel_info", "keys that are disabled are left out");
  const fine = [...new Set(working)].map((key) => checkedCredential(key))
    .flatMap((checked) => "secret" in checked ? [checked.secret] : []);
  if (fine.length > credentialsMax) channel.changed("key", `the first ${credentialsMax} keys`);
  if (fine.length < working.length) channel.changed("key", "without unusable and double keys");
  return fine.slice(0, credentialsMax);
}

/** Keys are on lines, or in a JSON list; a service account is JSON of several lines. */
function keysIn(text: string): readonly string[] {
  const value = /^[[{]/.test(text) ? parsed(text) : undefined;
  const list = isFields(value) ? [value] : value;
  const keys = Array.isArray(list)
    ? list.map((one) => isFields(one) ? JSON.stringify(one) : String(one))
    : text.split("\n");
  return keys.map((key) => key.trim()).filter((key) => key !== "");
}

function within(
  channel: SourceObject,
  field: string,
  { least, most, usual }: { readonly least: number; readonly most: number; readonly usual: number },
): number {
  const value = channel.number(field) ?? usual;
  const fitting = Math.min(most, Math.max(least, Math.round(value)));
  if (fitting !== value) channel.changed(field, `a whole number from ${least}`);
  return fitting;
}

function groupsOf(
  channel: SourceObject,
  groupIds: ReadonlyMap<string, string>,
): readonly string[] {
  const names = channel.list("group", ",");
  const found = names.map((name) => groupIds.get(name)).filter((id) => id !== undefined);
  if (found.some((id, at) => id !== names[at])) channel.changed("group", "our names of the groups");
  return found.length > 0 ? [...new Set(found)] : ["default"];
}

const own = "Tessera measures it itself";
const notHere = "Tessera has no such setting for an upstream";

const channelReasons = {
  test_model: "the console asks for a model to test",
  test_time: own,
  response_time: own,
  balance: "Tessera does not ask vendors for balances",
  balance_updated_time: "Tessera does not ask vendors for balances",
  created_time: "an upstream has no date",
  used_quota: "the log starts empty",
  auto_ban: "a circuit breaker pauses an upstream",
  status_code_mapping: "errors keep their status",
  open_ai_organization: notHere,
  param_override: notHere,
  header_override: notHere,
  setting: notHere,
  settings: notHere,
  other: notHere,
  other_info: "it is a state of new-api",
  tag: "an upstream has no tags",
  remark: "an upstream has no remark",
} as const;

const azureType = 3;

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
interface ChannelAddress extends Pick<UpstreamRecord, "endpoints" | "preset" | "auth"> {
  readonly kind: string;
}

/** The addresses of a channel; a text says why there are none. */
function channelAddress(type: number, base: string | undefined): ChannelAddress | string {
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
