import { type Invitation, listInvitations } from "../../store/users/mod.ts";
import type { AccountState } from "../session/state.ts";

/** The invitations that can still be accepted, the next to expire first. */
export async function openInvitations(
  { services: { store }, nowMs }: AccountState,
): Promise<readonly Invitation[]> {
  const open = (await listInvitations(store)).filter(({ expiresAtMs }) => expiresAtMs > nowMs);
  return open.sort((a, b) => a.expiresAtMs - b.expiresAtMs);
}
