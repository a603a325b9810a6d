import { createAuditEntry } from "../../store/audit/mod.ts";
import { digestOf, type Store } from "../../store/mod.ts";
import { identityId, useOnce, type User } from "../../store/users/mod.ts";
import { identityWords, type SsoArrival } from "./arrival.ts";

/** The reasons to refuse an identity that a provider has proved. */
export type SsoRefusal =
  /** The provider states no verified e-mail address. */
  | "email"
  | "domain"
  /** Another provider alone is trusted with the domain of the address. */
  | "elsewhere"
  | "group"
  /** The address has an account that must be proved to be the same user's. */
  | "exists"
  /** There is no account, and the provider may create none. */
  | "unknown"
  | "disabled"
  /** The identity belongs to another account. */
  | "taken"
  /** The identity is not the session's own. */
  | "other";

/** The words of the audit log. */
const reasons = {
  email: "No verified e-mail address",
  domain: "E-mail domain not allowed",
  elsewhere: "Another provider assigns the e-mail address",
  group: "Not in an allowed group",
  exists: "The e-mail address has an account that is not linked",
  unknown: "No account",
  disabled: "Account disabled",
  taken: "Linked to another user",
  other: "Not the user's own identity",
} as const satisfies Record<SsoRefusal, string>;

const refusalIntervalMs = 60 * 60 * 1_000;

/** Records a refusal once an hour, because audit entries are kept for long. */
export async function recordRefusal(
  store: Store,
  arrival: SsoArrival,
  { reason, owner }: { readonly reason: SsoRefusal; readonly owner: User | undefined },
): Promise<void> {
  const { identity: { issuer, subject, email }, draft } = arrival;
  const id = identityId(issuer, subject);
  if (!await useOnce(store, digestOf(`sso refusal ${id} ${reason}`), refusalIntervalMs)) return;
  const user = owner ?? { id, email: email ?? subject };
  const changes = [{ field: "identity", after: identityWords(arrival) }];
  await createAuditEntry(
    store,
    draft(user, { action: "refused", changes, reason: reasons[reason] }),
  );
}
