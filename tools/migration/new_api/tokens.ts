import { keptParts } from "../../../lib/accounts/secrets.ts";
import { isAddressOrBlock } from "../../../lib/admin/keys/key_rules.ts";
import type { ApiKey } from "../../../lib/store/api_keys/mod.ts";
import { defaultGroupId } from "../../../lib/store/catalog/mod.ts";
import { idFrom, takenBy, takenName, type TakenNames } from "../identity.ts";
import { type SourceFields, SourceObject } from "../source_object.ts";
import { accountIdOf, nanoOfQuota, type UserReading } from "./users.ts";

const enabled = 1;

/** Everything that a row of tokens refers to. */
interface TokenReading extends UserReading {
  readonly groupIds: ReadonlyMap<string, string>;
  /** The names of the users' groups, by account. */
  readonly userGroups: ReadonlyMap<string, string>;
  /** The names that are taken, by account. */
  readonly names: Map<string, TakenNames>;
}

/** A token as a key; undefined for a deleted one and for one without a user. */
export function readToken(row: SourceFields, reading: TokenReading): ApiKey | undefined {
  const owner = { place: "tokens", name: String(row.name ?? row.id ?? "") };
  const source = new SourceObject(row, owner, reading.report);
  if (source.text("deleted_at") !== undefined) {
    reading.report.add(owner, "deleted_at", "changed", "left out: the key is deleted");
    return undefined;
  }
  const key = keyOf(source, reading);
  source.finish(tokenReasons);
  return key;
}

function keyOf(source: SourceObject, reading: TokenReading): ApiKey | undefined {
  const [own, bare] = [source.text("id"), source.text("key")];
  const accountId = accountIdOf(source.text("user_id") ?? "");
  if (own === undefined || bare === undefined) return source.unknown("key", "the key is missing");
  if (!reading.userGroups.has(accountId)) {
    return source.unknown("user_id", "left out: its user is deleted");
  }
  source.changed("key", "its digest; clients send it with sk- in front");
  const secret = bare.startsWith("sk-") ? bare : `sk-${bare}`;
  const budget = budgetOf(source, reading.quotaPerUnit);
  const created = source.number("created_time") ?? 0;
  const expiry = expiryOf(source);
  const models = modelsOf(source);
  const addresses = addressesOf(source);
  const isOn = isEnabled(source) && mayCall(source);
  return {
    id: idFrom("key", "new-api", own),
    accountId,
    name: takenName(source, "name", { taken: takenBy(accountId, reading.names), usual: "new-api" }),
    ...keptParts(secret),
    groupId: groupFor(source, accountId, reading),
    enabled: isOn && budget !== "spent",
    ...expiry,
    ...models,
    ...addresses,
    ...(typeof budget === "bigint" && { budgets: [{ nanoUsd: budget, period: "total" }] }),
    createdAtMs: created > 0 ? created * 1_000 : reading.nowMs,
    origin: "console",
  };
}

/** The rest of a limited quota; undefined for an unlimited one. */
function budgetOf(source: SourceObject, quotaPerUnit: number): bigint | "spent" | undefined {
  if (source.flag("unlimited_quota") === true) return undefined;
  const nanoUsd = nanoOfQuota(source.number("remain_quota") ?? 0, quotaPerUnit);
  source.changed(
    "remain_quota",
    nanoUsd > 0n ? "a total budget in USD" : "disabled: the quota is used up",
  );
  return nanoUsd > 0n ? nanoUsd : "spent";
}

/** Expired keys (3) keep their time; used-up ones (4) have no quota. */
function isEnabled(source: SourceObject): boolean {
  const status = source.number("status") ?? enabled;
  return status === enabled || status === 3;
}

function expiryOf(source: SourceObject): Pick<ApiKey, "expiresAtMs"> {
  const seconds = source.number("expired_time") ?? -1;
  return seconds > 0 ? { expiresAtMs: seconds * 1_000 } : {};
}

function isLimited(source: SourceObject): boolean {
  return source.flag("model_limits_enabled") === true;
}

/** False for a key that may call no model, or whose fields do not say what it may do. */
function mayCall(source: SourceObject): boolean {
  const isEmpty = isLimited(source) && source.list("model_limits", ",").length === 0;
  if (isEmpty) source.changed("model_limits_enabled", "disabled: it may use no model");
  return !source.isUnclear(restricting, "disabled") && !isEmpty;
}

const restricting = [
  "status",
  "expired_time",
  "model_limits_enabled",
  "model_limits",
  "models",
  "allow_ips",
  "subnet",
] as const;

/** one-api has a list without a switch. */
function modelsOf(source: SourceObject): Pick<ApiKey, "models"> {
  const limits = source.list("model_limits", ",");
  const models = isLimited(source) ? limits : source.list("models", ",");
  return models.length > 0 ? { models } : {};
}

function addressesOf(source: SourceObject): Pick<ApiKey, "ipAllowList"> {
  const entries = [
    ...source.list("allow_ips", /[\s,]+/),
    ...source.list("subnet", /[\s,]+/),
  ];
  const fine = entries.filter(isAddressOrBlock);
  if (fine.length === entries.length) return entries.length > 0 ? { ipAllowList: entries } : {};
  source.changed("allow_ips", "without entries that are no address");
  return { ipAllowList: fine.length > 0 ? fine : [nobody] };
}

/** An address of documents, from which nobody calls: a list that we cannot read admits nobody. */
const nobody = "192.0.2.1";

function groupFor(
  source: SourceObject,
  accountId: string,
  { userGroups, groupIds }: TokenReading,
): string {
  const name = source.text("group");
  const own = name === undefined ? undefined : groupIds.get(name);
  if (own !== undefined && name !== "auto") return own;
  if (name !== undefined) source.changed("group", "the group of its user");
  return groupIds.get(userGroups.get(accountId) ?? "") ?? defaultGroupId;
}

const tokenReasons = {
  accessed_time: "the last use is not known yet",
  used_quota: "the log starts empty",
  cross_group_retry: "a key has one group",
  billing_type: "Tessera has no subscriptions",
} as const;
