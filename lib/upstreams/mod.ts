import { type FormatName } from "../canonical/mod.ts";
import type { UpstreamRecord } from "../store/catalog/mod.ts";
import { answerEmbedded, embeddedModel } from "./embedded/mod.ts";
import type { Upstream } from "./upstream.ts";

export {
  AddressError,
  type AddressRule,
  addressRule,
  allowedAddresses,
  assertUpstreamAddress,
  assertWrittenAddress,
} from "./address.ts";
export { type ConnectionReport, type ConnectionState, testConnection } from "./connection.ts";
export { ContinuationMemory, StepWatcher } from "./continuation_memory.ts";
export { withSources } from "./credentials/mod.ts";
export { credentialsOf } from "./upstream.ts";
export { type ListedModels, listUpstreamModels, type ModelReport, testModel } from "./probe.ts";
export { keptWords, withoutCredentials, withoutUpstreamWords } from "./upstream_words.ts";
export { ListRefresh } from "./list_refresh.ts";
export { fetchText } from "./fetch_text.ts";
export { providerName } from "./presets/mod.ts";
export { createSend, type Send } from "./send.ts";
export { UpstreamSockets } from "./sockets/mod.ts";

/** The lists with the built-in model, by the configured upstreams: routing keeps facts by list. */
const withEmbedded = new WeakMap<readonly UpstreamRecord[], readonly Upstream[]>();

/**
 * The configured upstreams, and the built-in model as long as none of them is enabled. The same list
 * for the same upstreams.
 */
export function upstreamsOf(configured: readonly UpstreamRecord[]): readonly Upstream[] {
  if (configured.some(({ enabled }) => enabled)) return configured;
  return withEmbedded.getOrInsertComputed(configured, () => [...configured, ...embedded]);
}

const noEndpoints: Readonly<Partial<Record<FormatName, string>>> = {};
const noLimitMs = 2_147_483_647;

/** The built-in model as an upstream: it answers every group and needs no credential. */
const embedded: readonly Upstream[] = [{
  id: "embedded",
  endpoints: noEndpoints,
  credentials: [],
  models: [{ id: embeddedModel }],
  priority: 0,
  weight: 1,
  groups: ["*"],
  timeouts: { connectMs: noLimitMs, firstByteMs: noLimitMs, idleMs: noLimitMs, totalMs: noLimitMs },
  enabled: true,
  origin: "config",
  answer: answerEmbedded,
}];
