import { HttpError } from "fresh";
import { getPasskey, type Passkey } from "../../store/users/mod.ts";
import type { AccountState } from "../session/state.ts";

/**
 * Returns the reader's own passkey from the address. Throws `HttpError` 404 for anybody else's too,
 * so that ids reveal nothing.
 */
export async function ownPasskey(
  id: string,
  { services: { store }, account: { user } }: AccountState,
): Promise<Passkey> {
  const passkey = /^[0-9a-f]{64}$/.test(id) ? await getPasskey(store, id) : undefined;
  if (passkey?.userId !== user.id) throw new HttpError(404);
  return passkey;
}
