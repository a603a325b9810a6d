import { z } from "zod";
import { formatNames } from "../canonical/mod.ts";
import { type ApiKey, listApiKeys, moveApiKeys } from "../store/api_keys/mod.ts";
import {
  createGroup,
  deleteGroup,
  type Group,
  servesGroup,
  updateGroup,
  type UpstreamRecord,
} from "../store/catalog/mod.ts";
import type { Directory } from "../store/directory/mod.ts";
import { type Store, unlessTaken } from "../store/mod.ts";
import { listUsers } from "../store/users/mod.ts";
import {
  auditChanges,
  type AuditContext,
  auditEntry,
  changesBetween,
  checkedEntry,
  type RecordCheck,
} from "./audit.ts";
import { boundsWords } from "./bounds.ts";
import type { FaultCode } from "./faults.ts";
import { keyWords } from "./keys/key_changes.ts";
import { modelPatterns } from "./keys/key_rules.ts";

/** Creates a group. Returns `taken` if there is one of its name. */
export function addGroup(ctx: AuditContext, group: Group): Promise<void | "taken"> {
  const changes = changesBetween({}, groupWords(group));
  const audit = auditEntry(ctx, { ...factsOf(group.id), action: "created", changes });
  return unlessTaken(createGroup(ctx.state.services.store, group, { audit }));
}

/** Changes a group's settings. Returns undefined if it is gone. */
export function changeGroup(
  ctx: AuditContext,
  id: string,
  change: (current: Group) => Group,
): Promise<Group | undefined> {
  const audit = auditChanges(ctx, { ...factsOf(id), action: "changed" }, groupWords);
  return updateGroup(ctx.state.services.store, id, change, { audit });
}

/**
 * Moves the keys of a group to another, if one is given, and deletes the group. `check` may refuse
 * the deletion by throwing. Returns false if the group is gone.
 */
export async function removeGroup(
  ctx: AuditContext,
  id: string,
  { use, to, check }: {
    readonly use: GroupUse;
    readonly to?: string;
    readonly check?: RecordCheck<Group>;
  },
): Promise<boolean> {
  if (to !== undefined) await moveKeys(ctx, use, { from: id, to });
  const audit = checkedEntry(ctx, { ...factsOf(id), action: "deleted" }, check);
  return await deleteGroup(ctx.state.services.store, id, { audit });
}

async function moveKeys(
  ctx: AuditContext,
  { keys }: GroupUse,
  move: { readonly from: string; readonly to: string },
): Promise<void> {
  const audit = (before: ApiKey, after: ApiKey) => {
    const target = { targetId: after.id, targetName: after.name };
    return auditChanges(ctx, { kind: "key", action: "changed", ...target }, keyWords)(
      before,
      after,
    );
  };
  const ids = keys.map(({ key }) => key.id);
  await moveApiKeys(ctx.state.services.store, ids, { ...move, audit });
}

function factsOf(id: string) {
  return { kind: "group", targetId: id, targetName: id } as const;
}

const modelsMax = 5_000;
const ratioMax = 1_000;

/** The id of a new group, which is also its name. */
export const groupId = z.string(fault("id"))
  .regex(/^[A-Za-z0-9][\w.-]{0,63}$/, fault("id"));

/** Names of models, or patterns such as `gpt-*`; each once. */
export const groupModels = modelPatterns(modelsMax).min(1, fault("models"))
  .transform((all) => [...new Set(all)]);

/** Formats; all of them are `*` alone. */
export const groupFormats = z.array(
  z.enum(["*", ...formatNames], fault("formats")),
  fault("formats"),
)
  .min(1, fault("formats")).transform((all) => {
    const areAll = all.includes("*") || formatNames.every((name) => all.includes(name));
    return areAll ? ["*" as const] : formatNames.filter((name) => all.includes(name));
  });

/** The factor on prices, with at most six decimals. */
export const priceRatio = z.number(fault("ratio")).min(0, fault("ratio")).max(
  ratioMax,
  fault("ratio"),
)
  .refine((ratio) => Number(ratio.toFixed(6)) === ratio, fault("ratio"));

/** Checks that a message is the name of a fault. */
function fault(name: FaultCode<"group">): FaultCode<"group"> {
  return name;
}

/** The keys and upstreams that use a group. */
export interface GroupUse {
  readonly keys: readonly UsingKey[];
  /** The upstreams that list the group by name; they prevent its deletion. */
  readonly upstreams: readonly UpstreamRecord[];
  /** The number of upstreams that serve it, by name or with all groups. */
  readonly serving: number;
}

/** A key and its owner's e-mail address, or the account's id if that has no user. */
interface UsingKey {
  readonly key: ApiKey;
  readonly owner: string;
}

/** The uses of each group, by its id; unused groups are absent. */
export async function groupUses(
  store: Store,
  directory: Pick<Directory, "groups" | "upstreams">,
): Promise<ReadonlyMap<string, GroupUse>> {
  const [keys, users] = await Promise.all([listApiKeys(store), listUsers(store)]);
  const emails = new Map(users.map(({ id, email }) => [id, email]));
  const using = keys.map((key) => ({ key, owner: emails.get(key.accountId) ?? key.accountId }));
  const keysOf = Map.groupBy(using, ({ key }) => key.groupId);
  const uses = directory.groups().map(({ id }) => {
    const serving = directory.upstreams().filter((upstream) => servesGroup(upstream, id));
    const upstreams = serving.filter(({ groups }) => groups.includes(id));
    return [id, { keys: keysOf.get(id) ?? [], upstreams, serving: serving.length }] as const;
  });
  return new Map(uses);
}

/** The uses that block deletion: an upstream that names the group, or a key from the configuration. */
export function isHeld({ keys, upstreams }: GroupUse): boolean {
  return upstreams.length > 0 || keys.some(({ key }) => key.origin === "config");
}

/** `default`: `allowsUnpriced` decides. */
export const unpricedChoices = ["default", "allowed", "refused"] as const;

export type UnpricedChoice = typeof unpricedChoices[number];

export function choiceOf(allowUnpriced: boolean | undefined): UnpricedChoice {
  if (allowUnpriced === undefined) return "default";
  return allowUnpriced ? "allowed" : "refused";
}

/** The fields of a group for the audit log. */
export function groupWords(group: Group): Record<string, string | undefined> {
  return {
    models: group.models.join(", "),
    formats: group.formats.join(", "),
    priceRatio: String(group.priceRatio),
    allowUnpriced: choiceOf(group.allowUnpriced),
    forMembers: group.forMembers ? "everybody" : "administrators",
    ...boundsWords(group),
  };
}
