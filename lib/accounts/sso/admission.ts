import type { SignInProvider } from "../../config.ts";
import { type AuditDraft, type AuditEntry, createAuditEntry } from "../../store/audit/mod.ts";
import { digestOf, type Store } from "../../store/mod.ts";
import {
  firstAccountId,
  identityId,
  type Role,
  useOnce,
  type User,
} from "../../store/users/mod.ts";
import { domainOf, setsRoles } from "./claims.ts";
import type { ProvenIdentity } from "./protocol.ts";

/** Returns why the configuration keeps an identity out; undefined if it may sign in. */
export function admissionFault(
  { domains, allowedGroups }: SignInProvider,
  { email, groups }: ProvenIdentity,
): "email" | "domain" | "group" | undefined {
  if (domains !== undefined && email === undefined) return "email";
  if (domains !== undefined && !domains.includes(domainOf(email ?? ""))) return "domain";
  const isMember = allowedGroups?.some((group) => groups.includes(group)) ?? true;
  return isMember ? undefined : "group";
}

/** The highest role that the provider's groups give; undefined if the console sets roles. */
export function roleByGroups(
  provider: SignInProvider,
  { groups }: ProvenIdentity,
): Role | undefined {
  if (!setsRoles(provider)) return undefined;
  const { administratorGroups, billingGroups, viewerGroups } = provider;
  const givers = {
    administrator: administratorGroups,
    billing: billingGroups,
    viewer: viewerGroups,
  };
  const given = (["administrator", "billing", "viewer"] as const)
    .find((role) => givers[role]?.some((group) => groups.includes(group)));
  return given ?? "member";
}

/** Returns true if one of the providers itself assigns the addresses of this domain. */
export function isAssigned(
  email: string,
  providers: readonly Pick<SignInProvider, "trustedDomains">[],
): boolean {
  return providers.some(({ trustedDomains }) => trustedDomains.includes(domainOf(email)));
}

/** Returns true for the accounts that an e-mail address may open: a provider's word makes no administrator. */
export function isClaimedByEmail({ role, id }: Pick<User, "role" | "id">): boolean {
  return role === "member" && id !== firstAccountId;
}

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
