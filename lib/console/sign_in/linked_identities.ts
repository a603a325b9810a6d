import { HttpError } from "fresh";
import type { AdminServices } from "../../admin/services.ts";
import { getIdentity, type Identity, listIdentities } from "../../store/users/mod.ts";
import type { AccountState } from "../session/state.ts";
import type { ProviderLink } from "./sso.ts";

/** A user's account at a provider, as pages show it. */
export interface LinkedIdentity {
  readonly id: string;
  /** The provider's name, or its issuer if the configuration no longer has it. */
  readonly name: string;
  /** The configured provider; absent if the identity can no longer sign in. */
  readonly provider?: ProviderLink;
  readonly email?: string;
  readonly createdAtMs: number;
  readonly lastUsedAtMs?: number;
}

/** A user's identities at providers, oldest first. */
export async function linkedIdentities(
  services: Pick<AdminServices, "store" | "sso">,
  userId: string,
): Promise<LinkedIdentity[]> {
  const identities = await listIdentities(services.store, userId);
  return identities.map((identity) => linkedIdentity(services, identity));
}

function linkedIdentity(
  { sso }: Pick<AdminServices, "sso">,
  { id, issuer, provider: providerId, email, createdAtMs, lastUsedAtMs }: Identity,
): LinkedIdentity {
  const provider = sso.provider(providerId);
  return {
    id,
    name: provider?.name ?? issuer,
    ...(provider && { provider: { id: provider.id, name: provider.name } }),
    ...(email !== undefined && { email }),
    createdAtMs,
    ...(lastUsedAtMs !== undefined && { lastUsedAtMs }),
  };
}

/**
 * Returns the reader's own identity from the address. Throws `HttpError` 404 for anybody else's too,
 * so that ids reveal nothing.
 */
export async function ownIdentity(
  id: string,
  { services, account: { user } }: AccountState,
): Promise<LinkedIdentity> {
  const identity = /^[0-9a-f]{64}$/.test(id) ? await getIdentity(services.store, id) : undefined;
  if (identity?.userId !== user.id) throw new HttpError(404);
  return linkedIdentity(services, identity);
}
