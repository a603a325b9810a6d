import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from "@simplewebauthn/server";
import { z } from "zod";
import { withoutHidden } from "../canonical/mod.ts";
import type { AuditDraft } from "../store/audit/mod.ts";
import { digestOf, type Store } from "../store/mod.ts";
import {
  createPasskey,
  getPasskey,
  getUser,
  listPasskeys,
  type Passkey,
  updatePasskey,
  useOnce,
  type User,
} from "../store/users/mod.ts";
import { sealed, unsealed } from "./secrets.ts";

/** The site that passkeys sign for. */
export interface PasskeySite {
  /** The host's name. */
  readonly rpId: string;
  /** Such as `https://gateway.example.com`. */
  readonly origin: string;
}

interface PasskeyAt {
  readonly store: Store;
  readonly site: PasskeySite;
  readonly nowMs: number;
}

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

export const passkeysMax = 20;
export const passkeyNameMax = 60;

/** Returns the options with which a browser creates a passkey. */
export async function registrationOptions(
  { store, site, nowMs }: PasskeyAt,
  user: User,
  siteName: string,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const known = await listPasskeys(store, user.id);
  const { generateRegistrationOptions } = await import("@simplewebauthn/server");
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
  /** The account has the maximum number of passkeys, or already has this one. */
  | { readonly type: "full" | "known" };

/** Stores a new passkey for the signed-in user. */
export async function registerPasskey(
  at: PasskeyAt,
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
  { store, site, nowMs }: PasskeyAt,
  user: User,
  { answer, name }: { readonly answer: string; readonly name: string },
): Promise<Passkey | undefined> {
  const response = readRegistration(answer);
  if (response === undefined) return undefined;
  const { verifyRegistrationResponse } = await import("@simplewebauthn/server");
  const checked = await verifyRegistrationResponse({
    response,
    expectedChallenge: expected({ store, nowMs }, { purpose: "register", userId: user.id }),
    expectedOrigin: site.origin,
    expectedRPID: site.rpId,
  }).catch(() => undefined); // throws for malformed input, and returns `verified: false` otherwise
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
    name: withoutHidden(name).trim().slice(0, passkeyNameMax),
    isSynced: credentialBackedUp,
    createdAtMs: nowMs,
  };
}

const challengeLifetimeMs = 10 * 60 * 1_000;

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
async function issueChallenge(
  store: Store,
  challenge: Challenge,
  nowMs: number,
): Promise<string> {
  const expiresAtMs = nowMs + challengeLifetimeMs;
  const text = await sealed(store, { ...challenge, expiresAtMs }, context);
  return toBase64Url(new TextEncoder().encode(text));
}

/** Uses up a challenge. Returns undefined if it was used before, has expired or is forged. */
async function takeChallenge(
  store: Store,
  challenge: string,
  nowMs: number,
): Promise<Challenge | undefined> {
  const found = await opened(store, challenge);
  if (found === undefined || found.expiresAtMs <= nowMs) return undefined;
  const unused = await useOnce(store, digestOf(challenge), challengeLifetimeMs);
  return unused ? found : undefined;
}

/** Returns the verifier's test of a challenge, which uses the challenge up. */
function expected(
  { store, nowMs }: { readonly store: Store; readonly nowMs: number },
  wanted: Challenge,
): (challenge: string) => Promise<boolean> {
  return async (challenge) => {
    const found = await takeChallenge(store, challenge, nowMs);
    return found?.purpose === wanted.purpose && found.userId === wanted.userId;
  };
}

async function opened(store: Store, challenge: string): Promise<Sealed | undefined> {
  try {
    const text = new TextDecoder().decode(fromBase64Url(challenge));
    return await unsealed(store, text, context);
  } catch { // no base64url
    return undefined;
  }
}

/** Far longer than any browser's answer. */
const lengthMax = 20_000;

const part = z.string().max(lengthMax);
const credential = { id: part, rawId: part, type: z.literal("public-key") };

const registrationSchema = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: part,
    attestationObject: part,
    transports: z.array(z.string().max(40)).max(20).default([]),
  }),
});

const assertionSchema = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: part,
    authenticatorData: part,
    signature: part,
    userHandle: part.optional(),
  }),
});

/** Parses a browser's registration of a passkey; undefined if the text is not one. */
function readRegistration(text: string): RegistrationResponseJSON | undefined {
  const read = registrationSchema.safeParse(json(text)).data;
  return read && { ...read, clientExtensionResults: {} };
}

/** Parses a browser's assertion of a passkey; undefined if the text is not one. */
function readAssertion(text: string): AuthenticationResponseJSON | undefined {
  const read = assertionSchema.safeParse(json(text)).data;
  return read && { ...read, clientExtensionResults: {} };
}

function json(text: string): unknown {
  if (text.length > lengthMax) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Decodes base64url, the encoding of bytes in a browser's JSON. */
function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.fromBase64(text, { alphabet: "base64url" });
}

function toBase64Url(bytes: Uint8Array): string {
  return bytes.toBase64({ alphabet: "base64url", omitPadding: true });
}
