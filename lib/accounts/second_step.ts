import type { AuditDraft } from "../store/audit/mod.ts";
import { digestOf, type Store } from "../store/mod.ts";
import { createTotp, getTotp, type Totp, updateTotp } from "../store/users/mod.ts";
import { matchingStep, newTotpSecret } from "./one_time_code.ts";

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
  const sealed = await store.secretBox.seal(JSON.stringify(enrolment), enrolmentOf(userId));
  return { secret: enrolment.secret, sealed };
}

/** Opens the secret that a form returns; undefined if it belongs to another user or is too old. */
export async function openEnrolment(
  store: Store,
  { userId, sealed }: { readonly userId: string; readonly sealed: string },
  nowMs: number,
): Promise<string | undefined> {
  try {
    const text = await store.secretBox.open(sealed, enrolmentOf(userId));
    const { secret, expiresAtMs }: Enrolment = JSON.parse(text); // sealed by us
    return expiresAtMs > nowMs ? secret : undefined;
  } catch {
    return undefined;
  }
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

/** The kind of code that passed the second step. */
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

/** Crockford's base 32: no I, L, O or U, which are easily mistaken for other characters. */
const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
/** 16 characters have 80 bits, so that a digest does not reveal a code. */
const length = 16;
const enteredLengthMax = 100;

/** Creates codes such as `7K3Q-0H2M-…`, which are shown once. */
function newRecoveryCodes(): string[] {
  return Array.from({ length: recoveryCodesCount }, newCode);
}

/** Returns the digest of an entered recovery code; undefined if it is malformed. */
function recoveryDigest(entered: string): string | undefined {
  const plain = entered.slice(0, enteredLengthMax).normalize("NFKC").toUpperCase()
    .replace(/[\s\p{Pd}]/gu, "").replaceAll("O", "0").replace(/[IL]/g, "1");
  const whole = plain.length === length && [...plain].every((one) => alphabet.includes(one));
  return whole ? digestOf(plain) : undefined;
}

function newCode(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(length));
  const plain = [...bytes].map((byte) => alphabet[byte % alphabet.length]).join(""); // 256 is a multiple of 32
  return plain.match(/.{4}/g)?.join("-") ?? plain;
}
