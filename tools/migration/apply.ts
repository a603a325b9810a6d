import { changesBetween } from "../../lib/admin/audit.ts";
import { groupWords } from "../../lib/admin/groups.ts";
import { membersText } from "../../lib/admin/models/chain_form.ts";
import { priceWords } from "../../lib/admin/models/price_changes.ts";
import { auditedUpstream } from "../../lib/admin/upstreams/upstream_changes.ts";
import { accountValues } from "../../lib/admin/users.ts";
import { usdText } from "../../lib/canonical/mod.ts";
import { grantFunds } from "../../lib/funds/mod.ts";
import { addApiKey, type ApiKey, createApiKey } from "../../lib/store/api_keys/mod.ts";
import { addAuditEntry, type AuditDraft } from "../../lib/store/audit/audit_entry.ts";
import {
  createGroup,
  createModel,
  createUpstream,
  isDated,
  type Model,
} from "../../lib/store/catalog/mod.ts";
import { type Store, unlessTaken } from "../../lib/store/mod.ts";
import { createUser, firstAccountId, getUser, type User } from "../../lib/store/users/mod.ts";
import { type SourceName, sourceNames } from "./plan.ts";
import type { ResolvedGrant, ResolvedPlan } from "./resolve.ts";

interface ApplyOptions {
  readonly source: SourceName;
  readonly nowMs: number;
  /** Receives the share that is done. */
  readonly progress?: (share: number) => void;
}

/** Drafts the audit entry of one record. */
type Audited = (
  facts: Pick<AuditDraft, "kind" | "action" | "targetId" | "targetName">,
  words: Readonly<Record<string, string | undefined>>,
) => AuditDraft;

/**
 * Creates the records of the plan, each with its audit entry in the same commit. A run that was
 * interrupted is repeated: what it created is left as it is.
 */
export async function applyPlan(
  store: Store,
  plan: ResolvedPlan,
  options: ApplyOptions,
): Promise<void> {
  const audited = auditedBy(options);
  const steps = [
    ...plan.groups.map((group) => () =>
      createGroup(store, group, { audit: audited(factsOf("group", group.id), groupWords(group)) })
    ),
    ...plan.models.map((model) => () =>
      createModel(store, model, { audit: ofModel(audited, model) })
    ),
    ...plan.upstreams.map((upstream) => () => {
      const audit = audited(factsOf("upstream", upstream.id), auditedUpstream(upstream));
      return createUpstream(store, upstream, { audit });
    }),
    ...plan.users.map((user) => () => createUser(store, user, { audit: ofUser(audited, user) })),
    ...plan.grants.map((grant) => () => addFunds(store, grant, { ...options, audited })),
    ...batchesOf(plan.keys).map((keys) => () => addKeys(store, keys, audited)),
  ];
  for (const [at, step] of steps.entries()) {
    await unlessTaken(step());
    options.progress?.((at + 1) / steps.length);
  }
}

function factsOf(kind: AuditDraft["kind"], id: string) {
  return { kind, action: "created", targetId: id, targetName: id } as const;
}

function ofModel(
  audited: Audited,
  { id, price, contextWindow, maxOutputTokens, members }: Model,
): AuditDraft {
  return audited(factsOf("model", id), {
    ...(price && !isDated(price) && priceWords(price)),
    contextWindow: contextWindow?.toString(),
    maxOutputTokens: maxOutputTokens?.toString(),
    members: members && membersText(members),
  });
}

function ofUser(audited: Audited, user: User): AuditDraft {
  return audited({ ...factsOf("user", user.id), targetName: user.email }, accountValues(user));
}

function auditedBy({ source, nowMs }: ApplyOptions): Audited {
  return (facts, words) => ({
    ...facts,
    atMs: nowMs,
    actorId: firstAccountId,
    actorName: `deno task import ${source}`,
    changes: changesBetween({}, withoutEmpty(words)),
    reason: `Import from ${sourceNames[source]}`,
  });
}

function withoutEmpty(words: Readonly<Record<string, string | undefined>>) {
  return Object.fromEntries(Object.entries(words).filter(([, text]) => text));
}

async function addFunds(
  store: Store,
  { accountId, nanoUsd, reason, idempotencyKey }: ResolvedGrant,
  { nowMs, audited }: ApplyOptions & { readonly audited: Audited },
): Promise<void> {
  const facts = { kind: "funds", action: "granted", targetId: accountId } as const;
  const account = await getUser(store, accountId);
  const result = await grantFunds(store, {
    administrator: await operator(store, nowMs),
    accountId,
    changeNanoUsd: nanoUsd,
    reason,
    idempotencyKey,
    audit: audited(
      { ...facts, targetName: account?.email ?? accountId },
      { amount: `+${usdText(nanoUsd)}` },
    ),
  }, nowMs);
  if ("message" in result) {
    throw new Error(`Cannot grant ${accountId} its balance: ${result.message}`);
  }
}

/** The first administrator, who may not have set the gateway up yet. */
async function operator(store: Store, nowMs: number): Promise<User> {
  return await getUser(store, firstAccountId) ?? {
    id: firstAccountId,
    email: "",
    role: "administrator",
    createdAtMs: nowMs,
    enabled: true,
    spending: "unlimited",
  };
}

/** A key takes three of the 100 checks of a commit. */
const keysAtOnce = 30;

function batchesOf(keys: readonly ApiKey[]): readonly (readonly ApiKey[])[] {
  const count = Math.ceil(keys.length / keysAtOnce);
  return Array.from(
    { length: count },
    (_, at) => keys.slice(at * keysAtOnce, (at + 1) * keysAtOnce),
  );
}

/** Creates keys in one commit; one by one if that fails. */
async function addKeys(store: Store, keys: readonly ApiKey[], audited: Audited): Promise<void> {
  const auditOf = ({ id, name }: ApiKey) =>
    audited({ ...factsOf("key", id), targetName: name }, {});
  const operation = store.kv.atomic();
  for (const key of keys) addAuditEntry(addApiKey(operation, key), auditOf(key));
  if (await store.commitChange(operation).catch(() => false)) return;
  for (const key of keys) await unlessTaken(createApiKey(store, key, { audit: auditOf(key) }));
}
