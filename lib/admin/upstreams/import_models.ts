import { GatewayError } from "../../canonical/mod.ts";
import {
  addMissingModels,
  isDated,
  type Model,
  updateUpstream,
  type UpstreamRecord,
} from "../../store/catalog/mod.ts";
import { listUpstreamModels } from "../../upstreams/mod.ts";
import {
  type ActingState,
  auditChanges,
  type AuditContext,
  auditEntry,
  changesBetween,
} from "../audit.ts";
import { priceWords } from "../models/price_words.ts";
import { type ImportChoice, modelsAfter, recordsOf } from "./import_choice.ts";
import { compareModels, type ImportComparison } from "./model_import.ts";
import { knownModel } from "./served_models.ts";
import { upstreamServices } from "./upstream_tests.ts";
import { auditedUpstream } from "./upstream_words.ts";

type UpstreamListing =
  | { readonly type: "listed"; readonly comparison: ImportComparison }
  /** The error message, of the gateway or the upstream. */
  | { readonly type: "failed"; readonly said: string };

/** An upstream's model list, compared with the models that it serves here. */
export async function upstreamListing(
  upstream: UpstreamRecord,
  { state, caller }: {
    readonly state: Pick<ActingState, "services" | "nowMs">;
    readonly caller: AbortSignal;
  },
): Promise<UpstreamListing> {
  const { services: { directory }, nowMs } = state;
  try {
    const listed = await listUpstreamModels(upstream, upstreamServices(state).send, caller);
    return { type: "listed", comparison: compareModels(upstream, listed, { directory, nowMs }) };
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    return { type: "failed", said: error.message };
  }
}

/** The number of chosen models without a price. */
export function unpricedOf({ added }: ImportChoice, state: ActingState): number {
  const { services: { directory }, nowMs } = state;
  return added.filter(({ id, own, priceIn }) =>
    priceIn === "" && knownModel({ id, upstreamModel: own }, directory, nowMs).price === undefined
  ).length;
}

/**
 * Imports a choice: changes the upstream's models and adds their records in one commit, with an
 * audit entry for each.
 */
export async function importModels(
  id: string,
  choice: ImportChoice,
  ctx: AuditContext,
): Promise<void> {
  const { services: { store }, nowMs } = ctx.state;
  const facts = { kind: "upstream", action: "changed", targetId: id, targetName: id } as const;
  const models = recordsOf(choice, nowMs);
  const change = (stored: UpstreamRecord) => ({ ...stored, models: modelsAfter(stored, choice) });
  await updateUpstream(store, id, change, {
    audit: auditChanges(ctx, facts, auditedUpstream),
    along: (operation) =>
      addMissingModels(store, operation, { models, audit: (model) => createdEntry(ctx, model) }),
  });
}

function createdEntry(ctx: AuditContext, { id, price, contextWindow, maxOutputTokens }: Model) {
  const words = {
    ...(price && !isDated(price) && priceWords(price)),
    contextWindow: contextWindow?.toString(),
    maxOutputTokens: maxOutputTokens?.toString(),
  };
  const changes = changesBetween({}, words);
  const target = { targetId: id, targetName: id };
  return auditEntry(ctx, { kind: "model", action: "created", ...target, changes });
}
