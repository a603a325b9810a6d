import type { Store } from "../store/mod.ts";
import { newToken } from "./token.ts";

/** Lifetime of a known browser. */
export const knownDeviceLifetimeMs = 365 * 24 * 60 * 60 * 1_000;

interface KnownDevice {
  readonly userId: string;
  readonly id: string;
}

const context = "known device";

/**
 * Creates the cookie by which a browser stays known after signing out. Wrong passwords from
 * elsewhere do not delay a known browser. The cookie alone grants no access.
 */
export function newKnownDevice(store: Store, userId: string): Promise<string> {
  const device: KnownDevice = { userId, id: newToken() };
  return store.secretBox.seal(JSON.stringify(device), context);
}

/** Returns the id of a user's known browser; undefined if it is not one. */
export async function knownDeviceId(
  store: Store,
  sealed: string | undefined,
  userId: string | undefined,
): Promise<string | undefined> {
  if (sealed === undefined || userId === undefined) return undefined;
  try {
    const device: KnownDevice = JSON.parse(await store.secretBox.open(sealed, context)); // sealed by us
    return device.userId === userId ? device.id : undefined;
  } catch {
    return undefined;
  }
}
