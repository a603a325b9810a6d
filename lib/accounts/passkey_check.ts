import type { PublicKeyCredentialRequestOptionsJSON } from "@simplewebauthn/server";
import { digestOf, type Store } from "../store/mod.ts";
import {
  getPasskey,
  getUser,
  listPasskeys,
  type Passkey,
  updatePasskey,
  type User,
} from "../store/users/mod.ts";
import { fromBase64Url } from "./base64url.ts";
import { challengeLifetimeMs, expected, issueChallenge } from "./challenge.ts";
import { readAssertion } from "./passkey_answer.ts";
import type { PasskeyAt } from "./passkey_at.ts";

/**
 * Returns the options for a browser's assertion: any passkey at a sign-in, one of the user's at a
 * confirmation.
 */
export async function assertionOptions(
  { store, site, nowMs }: PasskeyAt,
  userId?: string,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const purpose = userId === undefined ? "sign-in" : "confirm";
  const challenge = await issueChallenge(store, { purpose, userId }, nowMs);
  const all = userId === undefined ? [] : await listPasskeys(store, userId);
  const own = all.filter(({ rpId }) => rpId === site.rpId);
  const { generateAuthenticationOptions } = await import("@simplewebauthn/server");
  return await generateAuthenticationOptions({
    rpID: site.rpId,
    challenge: fromBase64Url(challenge),
    timeout: challengeLifetimeMs,
    userVerification: "required",
    allowCredentials: own.map(({ credentialId, transports }) => ({
      id: credentialId,
      transports: [...transports],
    })),
  });
}

/**
 * Verifies an assertion, notes the passkey's use and returns its user; undefined if the assertion
 * is invalid. With `userId`, both the passkey and the challenge must be that user's.
 */
export async function checkPasskey(
  { store, site, nowMs }: PasskeyAt,
  answer: string,
  userId?: string,
): Promise<User | undefined> {
  const response = readAssertion(answer);
  const passkey = response && await getPasskey(store, digestOf(response.id));
  if (!response || !passkey || passkey.rpId !== site.rpId) return undefined;
  if (userId !== undefined && passkey.userId !== userId) return undefined;
  const purpose = userId === undefined ? "sign-in" : "confirm";
  const { verifyAuthenticationResponse } = await import("@simplewebauthn/server");
  const checked = await verifyAuthenticationResponse({
    response,
    expectedChallenge: expected({ store, nowMs }, { purpose, userId }),
    expectedOrigin: site.origin,
    expectedRPID: passkey.rpId,
    credential: {
      id: passkey.credentialId,
      publicKey: fromBase64Url(passkey.publicKey),
      counter: passkey.counter,
    },
  }).catch(() => undefined);
  if (!checked?.verified) return undefined; // a wrong signature is an answer, not an error
  const { newCounter } = checked.authenticationInfo;
  if (!await noteUse(store, passkey, { counter: newCounter, nowMs })) return undefined;
  const user = await getUser(store, passkey.userId);
  return user?.enabled ? user : undefined;
}

/**
 * Records the use of a passkey. Returns false if a signature with the same or a higher counter was
 * recorded meanwhile: then the passkey has been cloned.
 */
async function noteUse(
  store: Store,
  passkey: Passkey,
  { counter, nowMs }: { readonly counter: number; readonly nowMs: number },
): Promise<boolean> {
  const isLater = (current: Passkey) =>
    counter > current.counter || counter + current.counter === 0;
  const change = (current: Passkey) =>
    isLater(current) ? { ...current, counter, lastUsedAtMs: nowMs } : undefined;
  return await updatePasskey(store, passkey.id, change) !== undefined;
}
