import type { Store } from "../store/mod.ts";
import { newToken } from "./token.ts";

/** How long a browser that has signed in is known. */
export const knownDeviceLifetimeMs = 365 * 24 * 60 * 60 * 1_000;

interface KnownDevice {
  readonly userId: string;
  readonly id: string;
}

const context = "known device";

/**
 * What a browser keeps after a sign-in, also after it has signed out: with it the wrong passwords
 * of others, from wherever they come, do not hold its owner up. It opens nothing by itself.
 */
export function newKnownDevice(store: Store, userId: string): Promise<string> {
  const device: KnownDevice = { userId, id: newToken() };
  return store.secretBox.seal(JSON.stringify(device), context);
}

/** Which of a user's browsers this is; undefined where it is none of them. */
export async function knownDeviceId(
  store: Store,
  sealed: string | undefined,
  userId: string | undefined,
): Promise<string | undefined> {
  if (sealed === undefined || userId === undefined) return undefined;
  try {
    const device: KnownDevice = JSON.parse(await store.secretBox.open(sealed, context)); // what opens was sealed here
    return device.userId === userId ? device.id : undefined;
  } catch {
    return undefined;
  }
}
