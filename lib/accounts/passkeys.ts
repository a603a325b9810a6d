import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from "@simplewebauthn/server";
import {
  type AuditDraft,
  createPasskey,
  digestOf,
  getPasskey,
  getUser,
  listPasskeys,
  type Passkey,
  type Store,
  updatePasskey,
  type User,
} from "../store/mod.ts";
import { type Challenge, challengeLifetimeMs, issueChallenge, takeChallenge } from "./challenge.ts";
import { readAssertion, readRegistration } from "./passkey_answer.ts";

export const passkeysMax = 20;
export const passkeyNameMax = 60;

/** Whom passkeys sign for. */
export interface PasskeySite {
  /** The host's name. */
  readonly rpId: string;
  /** Such as `https://gateway.example.com`. */
  readonly origin: string;
}

interface At {
  readonly store: Store;
  readonly site: PasskeySite;
  readonly nowMs: number;
}

/** What a browser is asked to make a passkey by. */
export async function registrationOptions(
  { store, site, nowMs }: At,
  user: User,
  siteName: string,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const known = await listPasskeys(store, user.id);
  return await generateRegistrationOptions({
    rpName: siteName,
    rpID: site.rpId,
    userName: user.email,
    userDisplayName: user.email,
    userID: new TextEncoder().encode(user.id),
    challenge: fromBase64Url(
      await issueChallenge(store, { purpose: "register", userId: user.id }, nowMs),
    ),
    timeout: challengeLifetimeMs,
    excludeCredentials: known.map(({ credentialId, transports }) => ({
      id: credentialId,
      transports: [...transports],
    })),
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
  });
}

export type RegistrationResult =
  | { readonly type: "registered"; readonly passkey: Passkey }
  | { readonly type: "refused" }
  /** The account has as many as it may, or this one already. */
  | { readonly type: "full" | "known" };

/** Keeps a passkey that a browser has made for who is signed in. */
export async function registerPasskey(
  at: At,
  user: User,
  entered: {
    /** JSON, as the browser wrote it. */
    readonly answer: string;
    readonly name: string;
    readonly audit?: (passkey: Passkey) => AuditDraft;
  },
): Promise<RegistrationResult> {
  const { store } = at;
  if ((await listPasskeys(store, user.id)).length >= passkeysMax) return { type: "full" };
  const passkey = await verifiedRegistration(at, user, entered);
  if (passkey === undefined) return { type: "refused" };
  const created = await createPasskey(store, passkey, { audit: entered.audit?.(passkey) });
  return created ? { type: "registered", passkey } : { type: "known" };
}

async function verifiedRegistration(
  { store, site, nowMs }: At,
  user: User,
  { answer, name }: { readonly answer: string; readonly name: string },
): Promise<Passkey | undefined> {
  const response = readRegistration(answer);
  if (response === undefined) return undefined;
  const checked = await verifyRegistrationResponse({
    response,
    expectedChallenge: taken({ store, nowMs }, { purpose: "register", userId: user.id }),
    expectedOrigin: site.origin,
    expectedRPID: site.rpId,
  }).catch(() => undefined); // it throws for what does not fit, and says no to the rest
  if (!checked?.verified) return undefined;
  const { credential, credentialBackedUp } = checked.registrationInfo;
  return {
    id: digestOf(credential.id),
    credentialId: credential.id,
    userId: user.id,
    rpId: site.rpId,
    publicKey: toBase64Url(credential.publicKey),
    counter: credential.counter,
    transports: response.response.transports ?? [],
    name: name.trim().slice(0, passkeyNameMax),
    isSynced: credentialBackedUp,
    createdAtMs: nowMs,
  };
}

/** What a browser is asked to sign by: with any passkey at a sign-in, with one of a user's at a confirmation. */
export async function assertionOptions(
  { store, site, nowMs }: At,
  userId?: string,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const purpose = userId === undefined ? "sign-in" : "confirm";
  const challenge = await issueChallenge(store, { purpose, userId }, nowMs);
  const own = userId === undefined ? [] : await listPasskeys(store, userId);
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
 * Whose passkey has signed what was asked, and notes its use. Undefined where nothing of that can
 * be shown. With `userId` it has to be that user's, and asked of that user.
 */
export async function checkPasskey(
  { store, site, nowMs }: At,
  answer: string,
  userId?: string,
): Promise<User | undefined> {
  const response = readAssertion(answer);
  const passkey = response && await getPasskey(store, digestOf(response.id));
  if (!response || !passkey || passkey.rpId !== site.rpId) return undefined;
  if (userId !== undefined && passkey.userId !== userId) return undefined;
  const purpose = userId === undefined ? "sign-in" : "confirm";
  const checked = await verifyAuthenticationResponse({
    response,
    expectedChallenge: taken({ store, nowMs }, { purpose, userId }),
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

/** False where a signature with the same or a later count was taken meanwhile: then one of the two is a copy's. */
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

function taken(
  { store, nowMs }: Pick<At, "store" | "nowMs">,
  wanted: Challenge,
): (challenge: string) => Promise<boolean> {
  return async (challenge) => {
    const found = await takeChallenge(store, challenge, nowMs);
    return found?.purpose === wanted.purpose && found.userId === wanted.userId;
  };
}

function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.fromBase64(text, { alphabet: "base64url" });
}

function toBase64Url(bytes: Uint8Array): string {
  return bytes.toBase64({ alphabet: "base64url", omitPadding: true });
}
