import type { AtomicOperation } from "../kv/database.ts";
import type { Store } from "../kv/store.ts";
import { addEntries } from "../money/ledger_entry_post.ts";
import type { User } from "./user.ts";

/** The settings that an invitation gives the account. */
export interface InvitedSettings
  extends Pick<User, "spending" | "projectId" | "groupId" | "budgets" | "limits"> {
  /** The credit that the account starts with, in nano-dollars above 0; absent: none. */
  readonly creditNanoUsd?: bigint;
}

/** The settings alone, for the record of the account. */
export function invitedSettings(
  { spending, projectId, groupId, budgets, limits }: InvitedSettings,
): Omit<InvitedSettings, "creditNanoUsd"> {
  return {
    spending,
    ...(projectId !== undefined && { projectId }),
    ...(groupId !== undefined && { groupId }),
    ...(budgets && { budgets }),
    ...(limits && { limits }),
  };
}

/** Adds the starting credit to the commit that creates the account. Its wallet is new. */
export async function addStartingCredit(
  store: Store,
  operation: AtomicOperation,
  { digest, createdBy, creditNanoUsd }:
    & Pick<InvitedSettings, "creditNanoUsd">
    & { readonly digest: string; readonly createdBy: string },
  { id: accountId, createdAtMs: atMs }: Pick<User, "id" | "createdAtMs">,
): Promise<void> {
  if (creditNanoUsd === undefined) return;
  await addEntries(store, operation, [{
    type: "grant",
    accountId,
    changeNanoUsd: creditNanoUsd,
    atMs,
    actor: createdBy,
    reason: "Starting credit of the invitation",
    idempotencyKey: `grant:invitation:${digest}`,
  }]);
}
