import { digestOf, type Store } from "../store/mod.ts";
import { useOnce } from "../store/users/mod.ts";
import { fromBase64Url, toBase64Url } from "./base64url.ts";

export const challengeLifetimeMs = 10 * 60 * 1_000;

/** The challenge that an authenticator signs. */
interface Challenge {
  readonly purpose: "register" | "sign-in" | "confirm";
  /** The challenged user; absent at sign-in, where the user is not known yet. */
  readonly userId?: string;
}

interface Sealed extends Challenge {
  readonly expiresAtMs: number;
}

const context = "passkey challenge";

/**
 * Issues a challenge in base64url. Its sealed text contains its purpose and its expiry, so that
 * showing a sign-in page writes nothing; the store only records used challenges.
 */
export async function issueChallenge(
  store: Store,
  challenge: Challenge,
  nowMs: number,
): Promise<string> {
  const sealed: Sealed = { ...challenge, expiresAtMs: nowMs + challengeLifetimeMs };
  const text = await store.secretBox.seal(JSON.stringify(sealed), context);
  return toBase64Url(new TextEncoder().encode(text));
}

/** Uses up a challenge. Returns undefined if it was used before, has expired or is forged. */
async function takeChallenge(
  store: Store,
  challenge: string,
  nowMs: number,
): Promise<Challenge | undefined> {
  const sealed = await open(store, challenge);
  if (sealed === undefined || sealed.expiresAtMs <= nowMs) return undefined;
  const unused = await useOnce(store, digestOf(challenge), challengeLifetimeMs);
  return unused ? sealed : undefined;
}

/** Returns the verifier's test of a challenge, which uses the challenge up. */
export function expected(
  { store, nowMs }: { readonly store: Store; readonly nowMs: number },
  wanted: Challenge,
): (challenge: string) => Promise<boolean> {
  return async (challenge) => {
    const found = await takeChallenge(store, challenge, nowMs);
    return found?.purpose === wanted.purpose && found.userId === wanted.userId;
  };
}

async function open(store: Store, challenge: string): Promise<Sealed | undefined> {
  try {
    const text = new TextDecoder().decode(fromBase64Url(challenge));
    return JSON.parse(await store.secretBox.open(text, context)); // sealed by us
  } catch {
    return undefined;
  }
}
