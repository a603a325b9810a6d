import type { TOTP } from "otpauth";
import type { AuditDraft } from "../store/audit/mod.ts";
import { digestOf, type Store } from "../store/mod.ts";
import {
  createTotp,
  deletePasskey,
  deleteSessions,
  deleteTotp,
  getTotp,
  listPasskeys,
  type Totp,
  updateTotp,
} from "../store/users/mod.ts";
import { groupedCode, randomCode, readCode, sealed, unsealed } from "./secrets.ts";

interface Enrolment {
  readonly secret: string;
  readonly expiresAtMs: number;
}

const enrolmentLifetimeMs = 30 * 60 * 1_000;
const contextOf = (userId: string) => `totp/${userId}`;
const enrolmentOf = (userId: string) => `totp enrolment/${userId}`;

/** Creates a secret, also sealed for the form that confirms it. Nothing is stored until then. */
export async function beginSecondStep(
  store: Store,
  userId: string,
  nowMs: number,
): Promise<{ readonly secret: string; readonly sealed: string }> {
  const enrolment: Enrolment = {
    secret: await newTotpSecret(),
    expiresAtMs: nowMs + enrolmentLifetimeMs,
  };
  const text = await sealed(store, enrolment, enrolmentOf(userId));
  return { secret: enrolment.secret, sealed: text };
}

/** Opens the secret that a form returns; undefined if it belongs to another user or is too old. */
export async function openEnrolment(
  store: Store,
  { userId, sealed: text }: { readonly userId: string; readonly sealed: string },
  nowMs: number,
): Promise<string | undefined> {
  const enrolment = await unsealed<Enrolment>(store, text, enrolmentOf(userId));
  return enrolment && enrolment.expiresAtMs > nowMs ? enrolment.secret : undefined;
}

type EnrolmentResult =
  /** `codes`: the recovery codes, which are shown once. */
  | { readonly type: "on"; readonly codes: readonly string[] }
  /** The code does not match the secret. */
  | { readonly type: "wrong" }
  | { readonly type: "exists" };

/** Turns the second step on, after a code has proved that the user's app has the secret. */
export async function confirmSecondStep(
  store: Store,
  { userId, secret, code, audit }: {
    readonly userId: string;
    readonly secret: string;
    readonly code: string;
    readonly audit?: AuditDraft;
  },
  nowMs: number,
): Promise<EnrolmentResult> {
  const lastStep = await matchingStep(secret, code, nowMs);
  if (lastStep === undefined) return { type: "wrong" };
  const codes = newRecoveryCodes();
  const totp: Totp = {
    userId,
    sealedSecret: await store.secretBox.seal(secret, contextOf(userId)),
    lastStep,
    recoveryDigests: codes.map(digestOfCode),
    createdAtMs: nowMs,
  };
  return await createTotp(store, totp, { audit }) ? { type: "on", codes } : { type: "exists" };
}

type SecondProof = "code" | "recovery-code";

/**
 * Checks a code of the app or a recovery code, and uses it up. Returns undefined if it matches
 * neither, or if there is no second step. `audit` is written when a recovery code is used.
 */
export async function takeSecondStep(
  store: Store,
  { userId, code, audit }: {
    readonly userId: string;
    readonly code: string;
    readonly audit?: AuditDraft;
  },
  nowMs: number,
): Promise<SecondProof | undefined> {
  const totp = await getTotp(store, userId);
  if (totp === undefined) return undefined;
  const secret = await store.secretBox.open(totp.sealedSecret, contextOf(userId));
  const step = await matchingStep(secret, code, nowMs);
  if (step !== undefined) return await takeStep(store, userId, step) ? "code" : undefined;
  const digest = recoveryDigest(code);
  if (digest === undefined) return undefined;
  return await takeRecovery(store, userId, { digest, audit }) ? "recovery-code" : undefined;
}

/** Replaces all recovery codes; undefined if there is no second step. */
export async function renewRecoveryCodes(
  store: Store,
  userId: string,
  { audit }: { readonly audit?: AuditDraft } = {},
): Promise<readonly string[] | undefined> {
  const codes = newRecoveryCodes();
  const recoveryDigests = codes.map(digestOfCode);
  const change = (totp: Totp) => ({ ...totp, recoveryDigests });
  return await updateTotp(store, userId, change, { audit }) ? codes : undefined;
}

function takeStep(store: Store, userId: string, lastStep: number): Promise<boolean> {
  const change = (totp: Totp) => lastStep > totp.lastStep ? { ...totp, lastStep } : undefined;
  return updateTotp(store, userId, change);
}

function takeRecovery(
  store: Store,
  userId: string,
  { digest, audit }: { readonly digest: string; readonly audit?: AuditDraft },
): Promise<boolean> {
  const change = (totp: Totp) => {
    const recoveryDigests = totp.recoveryDigests.filter((one) => one !== digest);
    const found = recoveryDigests.length < totp.recoveryDigests.length;
    return found ? { ...totp, recoveryDigests } : undefined;
  };
  return updateTotp(store, userId, change, { audit });
}

function digestOfCode(code: string): string {
  return recoveryDigest(code) ?? digestOf(code);
}

const recoveryCodesCount = 10;

/** 16 characters have 80 bits, so that a digest does not reveal a code. */
const recoveryCodeLength = 16;

/** Creates codes such as `7K3Q-0H2M-…`, which are shown once. */
function newRecoveryCodes(): string[] {
  return Array.from(
    { length: recoveryCodesCount },
    () => groupedCode(randomCode(recoveryCodeLength), 4),
  );
}

/** Returns the digest of an entered recovery code; undefined if it is malformed. */
function recoveryDigest(entered: string): string | undefined {
  const code = readCode(entered, recoveryCodeLength);
  return code === undefined ? undefined : digestOf(code);
}

/**
 * Removes a user's one-time codes and passkeys, and ends all sessions but one. For users who have
 * lost them. The audit entry is in the commit that ends the sessions.
 */
export async function resetSecondStep(
  store: Store,
  userId: string,
  { audit, exceptDigest }: { readonly audit?: AuditDraft; readonly exceptDigest?: string } = {},
): Promise<void> {
  await deleteSessions(store, userId, { exceptDigest, audit }); // first: its commit holds the entry
  await deleteTotp(store, userId);
  for (const passkey of await listPasskeys(store, userId)) await deletePasskey(store, passkey);
}

const periodSeconds = 30;
/**
 * Steps of tolerance before and after the current one, because clocks differ and people type
 * slowly.
 */
const stepsOff = 1;
const secretBytes = 20;

/** 160 random bits in base 32, as RFC 4226 recommends. */
async function newTotpSecret(): Promise<string> {
  const { Secret } = await import("otpauth");
  return new Secret({ size: secretBytes }).base32;
}

/** The `otpauth:` address that an authenticator app reads, often from a QR code. */
export async function totpAddress(
  secret: string,
  { email, siteName }: { readonly email: string; readonly siteName: string },
): Promise<string> {
  return (await codesOf(secret, { issuer: siteName, label: email })).toString();
}

/** The time step of a correct code; undefined if the code is wrong or too old. */
async function matchingStep(
  secret: string,
  code: string,
  nowMs: number,
): Promise<number | undefined> {
  const token = code.replace(/\s/g, "");
  if (!/^\d{6}$/.test(token)) return undefined;
  const delta = (await codesOf(secret)).validate({ token, timestamp: nowMs, window: stepsOff });
  return delta === null ? undefined : Math.floor(nowMs / 1_000 / periodSeconds) + delta;
}

async function codesOf(
  secret: string,
  names: { issuer?: string; label?: string } = {},
): Promise<TOTP> {
  const { Secret, TOTP } = await import("otpauth");
  return new TOTP({
    ...names,
    algorithm: "SHA1", // supported by every app
    digits: 6,
    period: periodSeconds,
    secret: Secret.fromBase32(secret),
  });
}
