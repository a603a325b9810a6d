import { GatewayError } from "../../canonical/mod.ts";
import {
  addMissingModels,
  isDated,
  type Model,
  updateUpstream,
  type UpstreamRecord,
} from "../../store/catalog/mod.ts";
import type { Directory } from "../../store/directory/mod.ts";
import { patternLookup, patternMatcher } from "../../store/mod.ts";
import { type ListedModels, listUpstreamModels } from "../../upstreams/mod.ts";
import {
  type ActingState,
  auditChanges,
  type AuditContext,
  auditEntry,
  changesBetween,
} from "../audit.ts";
import { priceWords } from "../models/price_changes.ts";
import { type ImportChoice, modelsAfter, recordsOf } from "./import_choice.ts";
import { type KnownModel, knownModel } from "./served_models.ts";
import { auditedUpstream } from "./upstream_changes.ts";
import { upstreamServices } from "./upstream_state.ts";

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

/** The relation of a listed model to the models that the upstream serves here. */
export type ImportStatus = "new" | "known" | "pattern" | "gone";

/** One model of the comparison. */
export interface ImportRow extends KnownModel {
  /** The upstream's own name. */
  readonly own: string;
  readonly status: ImportStatus;
  /** The public name or pattern that serves it here. */
  readonly entry?: string;
  /** Limits that the upstream's list reports; stored with the model. */
  readonly listedLimits: Pick<KnownModel, "contextWindow" | "maxOutputTokens">;
}

/** A pattern that the upstream serves, and the number of listed models that it matches. */
interface ImportPattern {
  readonly entry: string;
  readonly matches: number;
}

/** An upstream's model list, compared with the models that it serves here. */
export interface ImportComparison {
  readonly rows: readonly ImportRow[];
  readonly patterns: readonly ImportPattern[];
  readonly counts: Readonly<Record<ImportStatus, number>>;
  readonly isComplete: boolean;
}

/**
 * Compares the lists, new models first. No model counts as gone if the upstream's list is
 * incomplete.
 */
function compareModels(
  { models }: Pick<UpstreamRecord, "models">,
  { models: listed, isComplete }: ListedModels,
  { directory, nowMs }: {
    readonly directory: Pick<Directory, "models">;
    readonly nowMs: number;
  },
): ImportComparison {
  const exact = new Map(
    models.filter(({ id }) => !id.includes("*"))
      .map(({ id, upstreamModel = id }) => [upstreamModel, id] as const),
  );
  const patterns = models.map(({ id }) => id).filter((id) => id.includes("*") && id !== "*");
  const patternOf = patternLookup(patterns.map((pattern) => [pattern, pattern]));
  const found = listed.map(({ id, contextWindow, maxOutputTokens }): ImportRow => {
    const entry = exact.get(id) ?? patternOf(id);
    const known = knownModel({ id: exact.get(id) ?? id, upstreamModel: id }, directory, nowMs);
    const listedLimits = {
      ...(known.contextWindow === undefined && contextWindow && { contextWindow }),
      ...(known.maxOutputTokens === undefined && maxOutputTokens && { maxOutputTokens }),
    };
    const status = exact.has(id) ? "known" : entry === undefined ? "new" : "pattern";
    return {
      own: id,
      status,
      ...known,
      ...listedLimits,
      listedLimits,
      ...(entry !== undefined && { entry }),
    };
  });
  const names = new Set(listed.map(({ id }) => id));
  const gone = [...exact].filter(([own]) => isComplete && !names.has(own))
    .map(([own, entry]): ImportRow => ({
      own,
      entry,
      status: "gone",
      listedLimits: {},
      ...knownModel({ id: entry, upstreamModel: own }, directory, nowMs),
    }));
  const rows = [...found, ...gone].toSorted((a, b) => order[a.status] - order[b.status]);
  return { rows, patterns: matchesOf(patterns, names), counts: countsOf(rows), isComplete };
}

const order = { new: 0, gone: 1, pattern: 2, known: 3 } as const satisfies Record<
  ImportStatus,
  number
>;

function matchesOf(patterns: readonly string[], names: ReadonlySet<string>): ImportPattern[] {
  return patterns.map((entry) => ({
    entry,
    matches: [...names].filter(patternMatcher(entry)).length,
  }));
}

function countsOf(rows: readonly ImportRow[]): ImportComparison["counts"] {
  const count = (status: ImportStatus) => rows.filter((row) => row.status === status).length;
  return {
    new: count("new"),
    known: count("known"),
    pattern: count("pattern"),
    gone: count("gone"),
  };
}
