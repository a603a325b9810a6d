import { type EffectiveBounds, effectiveBounds, type LimitOwners } from "../ledger/mod.ts";
import type { ApiKey } from "../store/api_keys/mod.ts";
import type { Group } from "../store/catalog/mod.ts";
import type { Bounds } from "../store/money/mod.ts";
import type { Project } from "../store/projects/mod.ts";
import type { User } from "../store/users/mod.ts";
import type { ActingState } from "./audit.ts";

/** A key with its owner, a user, a project, a group, or the organization's own limits. */
export type BoundSubject =
  | { readonly type: "key"; readonly key: ApiKey; readonly account: User | undefined }
  | { readonly type: "account"; readonly account: User }
  | { readonly type: "project"; readonly project: Project }
  | { readonly type: "group"; readonly group: Group }
  | { readonly type: "organization"; readonly organization: Bounds | undefined };

/** Lists the limits and rules in force for a subject, for the console and the management API. */
export function boundsOfSubject(
  subject: BoundSubject,
  { services, nowMs }: Pick<ActingState, "services" | "nowMs">,
): Promise<EffectiveBounds> {
  const { store, config: { timeZone = "UTC" } } = services;
  return effectiveBounds(store, ownersOf(subject, services), { nowMs, timeZone });
}

/** The subject and everyone above it. */
function ownersOf(
  subject: BoundSubject,
  { directory }: Pick<ActingState["services"], "directory">,
): LimitOwners {
  const organization = directory.organization();
  switch (subject.type) {
    case "key": {
      const { key, account } = subject;
      return { ...above(account), key, group: directory.group(key.groupId), organization };
    }
    case "account":
      return { ...above(subject.account), organization };
    case "project":
      return { project: subject.project, organization };
    case "group":
      return { group: subject.group, organization };
    case "organization":
      return { organization: subject.organization };
    default:
      return subject satisfies never;
  }

  function above(account: User | undefined): LimitOwners {
    if (!account) return {};
    const { id: accountId, projectId } = account;
    const project = projectId === undefined ? undefined : directory.project(projectId);
    return { account, accountId, project };
  }
}
