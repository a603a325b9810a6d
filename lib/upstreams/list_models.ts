import type { ListedModel } from "../formats/models.ts";
import type { UpstreamRecord } from "../store/catalog/mod.ts";
import { probeCodec, probeLimits, probeOutbound, probeTimeouts } from "./probe.ts";
import { readAnswerJson } from "./reply.ts";
import type { Send } from "./send.ts";
import { withoutCredentials } from "./upstream_words.ts";

/** The model list of an upstream. */
export interface ListedModels {
  readonly models: readonly ListedModel[];
  /** False if the list was cut at its limits. */
  readonly isComplete: boolean;
}

/** Limits of a model list, far above any vendor's. */
const pagesMax = 20;
const modelsMax = 10_000;

/**
 * Lists an upstream's models without duplicates, in its order and with its details. Throws a
 * `GatewayError` with the reason if there is no list; it never contains a credential.
 */
export async function listUpstreamModels(
  upstream: UpstreamRecord,
  send: Send,
  caller: AbortSignal = new AbortController().signal,
): Promise<ListedModels> {
  try {
    return await allPages(upstream, send, caller);
  } catch (thrown) {
    throw withoutCredentials(thrown, upstream.credentials);
  }
}

async function allPages(
  upstream: UpstreamRecord,
  send: Send,
  caller: AbortSignal,
): Promise<ListedModels> {
  const codec = probeCodec(upstream);
  const { modelListing } = codec;
  const models = new Map<string, ListedModel>();
  let next: string | undefined;
  for (let page = 0; page < pagesMax && models.size < modelsMax; page++) {
    const outbound = probeOutbound(upstream, codec, { path: modelListing.path(next) });
    const inbound = await send(outbound, probeTimeouts, caller);
    const listed = modelListing.decode(await readAnswerJson(inbound, codec, probeLimits));
    for (const model of listed.models) models.set(model.id, models.get(model.id) ?? model);
    if (listed.next === undefined || listed.next === next) return complete(models);
    next = listed.next;
  }
  return { models: [...models.values()].slice(0, modelsMax), isComplete: false };
}

function complete(models: ReadonlyMap<string, ListedModel>): ListedModels {
  const listed = [...models.values()];
  return { models: listed.slice(0, modelsMax), isComplete: listed.length <= modelsMax };
}
