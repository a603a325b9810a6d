import type { PublicKeyCredentialCreationOptionsJSON } from "@simplewebauthn/server";
import { withoutHidden } from "../canonical/mod.ts";
import type { AuditDraft } from "../store/audit/mod.ts";
import { digestOf } from "../store/mod.ts";
import { createPasskey, listPasskeys, type Passkey, type User } from "../store/users/mod.ts";
import { fromBase64Url, toBase64Url } from "./base64url.ts";
import { challengeLifetimeMs, expected, issueChallenge } from "./challenge.ts";
import { readRegistration } from "./passkey_answer.ts";
import type { PasskeyAt } from "./passkey_at.ts";

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
