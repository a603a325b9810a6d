import type { SignInProvider } from "../../config.ts";
import type { AuditDraft, AuditEntry } from "../../store/audit/mod.ts";
import type { User } from "../../store/users/mod.ts";
import type { ProvenIdentity } from "./claims.ts";

/** Drafts the audit entry of a change to a user's own account. */
type Draft = (
  user: Pick<User, "id" | "email">,
  entry: Pick<AuditEntry, "action" | "changes" | "reason">,
) => AuditDraft;

/** The identity that a provider vouches for, and how a change because of it is recorded. */
export interface SsoArrival {
  readonly provider: SignInProvider;
  /** All providers of the configuration. */
  readonly providers: readonly SignInProvider[];
  readonly identity: ProvenIdentity;
  readonly draft: Draft;
}

/** The identity in the words of the audit log, such as `Google: mira@example.com`. */
export function identityWords({ provider, identity: { email, subject } }: SsoArrival): string {
  return `${provider.name}: ${email ?? subject}`;
}
