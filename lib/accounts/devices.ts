import {
  answerDevice,
  type ApiKey,
  collectDevice,
  deleteApiKey,
  getApiKey,
  updateApiKey,
} from "../store/api_keys/mod.ts";
import type { AuditDraft, AuditOptions } from "../store/audit/mod.ts";
import type { KnownKey } from "../store/directory/mod.ts";
import { digestOf, type Store } from "../store/mod.ts";
import { getUser, returnSignInAttempt, takeSignInAttempt } from "../store/users/mod.ts";
import { type ApiKeyDraft, newApiKey, previousOf } from "./api_keys.ts";
import {
  codeAlphabet,
  groupedCode,
  keptParts,
  newApiKeySecret,
  newToken,
  randomCode,
  readCode,
} from "./secrets.ts";
import { waiting } from "./sign_in_wait.ts";

/** The time in which a person confirms a code; the code itself works up to twice as long. */
export const deviceCodeLifetimeMs = 10 * 60 * 1_000;
/** The lifetime of an access token, after which the device must refresh it. */
export const accessLifetimeMs = 60 * 60 * 1_000;
/** The lifetime of a refresh token without use. */
const refreshLifetimeMs = 30 * 24 * 60 * 60 * 1_000;
/** The time in which calls may still use an access token that was refreshed. */
const graceMs = 5 * 60 * 1_000;

/** 40 random bits, and 20 that prove that the gateway made the code. */
const [randomLength, proofLength] = [8, 4];
const [codeContext, refreshContext] = ["device code", "refresh token of a device"];

interface DeviceCode {
  readonly code: string;
  readonly expiresAtMs: number;
}

interface RefreshToken {
  readonly keyId: string;
  readonly secret: string;
  readonly expiresAtMs: number;
}

/** The tokens of a device (RFC 6749), and the e-mail address of its owner, if it has one. */
export interface DeviceTokens {
  readonly access: string;
  readonly refresh: string;
  readonly email?: string;
}

/** The reason why a device gets no tokens, as RFC 8628 and RFC 6749 name it. */
export type DeviceFault =
  | "authorization_pending"
  | "access_denied"
  | "expired_token"
  | "invalid_grant";

/** The store, and the keys with their owners' state. */
interface DeviceDeps {
  readonly store: Store;
  readonly directory: { keyById(id: string): Promise<KnownKey | undefined> };
  readonly nowMs: number;
}

/**
 * Starts the sign-in of a device (RFC 8628). Stores nothing, so that nobody can fill the store:
 * `deviceCode` is sealed, and `userCode` proves itself.
 */
export async function startDevice(
  store: Store,
  nowMs: number,
): Promise<{ readonly deviceCode: string; readonly userCode: string }> {
  const random = randomCode(randomLength);
  const code = random + await proofOf(store, random, windowAt(nowMs));
  const content: DeviceCode = { code, expiresAtMs: nowMs + deviceCodeLifetimeMs };
  const deviceCode = await store.secretBox.sealCapsule(JSON.stringify(content), codeContext);
  return { deviceCode, userCode: groupedCode(code, 4) };
}

/** Five wrong codes of an account are free; then the wait doubles, up to a quarter of an hour. */
const attempts = {
  waitMs: waiting({ free: 5, waitMsMax: 15 * 60 * 1_000 }),
  oneForgottenMs: 10 * 60 * 1_000,
};

/** Reads a code that an account enters, or returns how long it must wait after wrong ones. */
export async function enterDeviceCode(
  store: Store,
  { accountId, entered }: { readonly accountId: string; readonly entered: string },
  nowMs: number,
): Promise<string | undefined | { readonly waitMs: number }> {
  const bucket = digestOf(`device code ${accountId}`);
  const waitMs = await takeSignInAttempt(store, bucket, { nowMs, ...attempts });
  if (waitMs > 0) return { waitMs };
  const code = await readDeviceCode(store, entered, nowMs);
  if (code !== undefined) await returnSignInAttempt(store, bucket, attempts);
  return code;
}

/** Returns a code as the store knows it; undefined if it was mistyped, guessed or has expired. */
export async function readDeviceCode(
  store: Store,
  entered: string,
  nowMs: number,
): Promise<string | undefined> {
  const code = readCode(entered, randomLength + proofLength);
  if (code === undefined) return undefined;
  const random = code.slice(0, randomLength);
  const proofs = await Promise.all(
    [0, 1].map((ago) => proofOf(store, random, windowAt(nowMs) - ago)),
  );
  return proofs.includes(code.slice(randomLength)) ? code : undefined;
}

function windowAt(nowMs: number): number {
  return Math.floor(nowMs / deviceCodeLifetimeMs);
}

async function proofOf(store: Store, random: string, window: number): Promise<string> {
  const bytes = await store.secretBox.sign(`device code ${window} ${random}`);
  return Array.from(
    bytes.subarray(0, proofLength),
    (byte) => codeAlphabet[byte % codeAlphabet.length],
  ).join("");
}

/**
 * Lets the device with this code act as a new key of the account. Returns undefined if the code was
 * answered before, or the account has a key of this name.
 */
export async function admitDevice(
  store: Store,
  { code, draft, audit }: {
    readonly code: string;
    readonly draft: ApiKeyDraft;
    readonly audit?: (apiKey: ApiKey) => AuditDraft;
  },
  nowMs: number,
): Promise<ApiKey | undefined> {
  const device = { refreshDigest: "", accessEndsAtMs: nowMs };
  const { apiKey } = newApiKey({ ...draft, device }, nowMs); // nobody gets this secret
  const answer = { ...answerOf(code, nowMs), apiKey, audit: audit?.(apiKey) };
  return await answerDevice(store, answer) ? apiKey : undefined;
}

/** Refuses the device with this code. Returns false if the code was answered before. */
export function refuseDevice(
  store: Store,
  { code, audit }: AuditOptions & { readonly code: string },
  nowMs: number,
): Promise<boolean> {
  return answerDevice(store, { ...answerOf(code, nowMs), audit });
}

/** An answer outlives its code, which therefore works once. */
function answerOf(code: string, nowMs: number) {
  return { digest: digestOf(code), expiresAtMs: nowMs + 2 * deviceCodeLifetimeMs };
}

/** Returns the first tokens of a device, once, after its owner has confirmed its code. */
export async function firstTokens(
  deps: DeviceDeps,
  deviceCode: string,
): Promise<DeviceTokens | DeviceFault> {
  const { store, nowMs } = deps;
  const asked = await opened<DeviceCode>(store, deviceCode, codeContext);
  if (!asked) return "invalid_grant";
  if (asked.expiresAtMs <= nowMs) return "expired_token";
  const answer = await collectDevice(store, digestOf(asked.code));
  if (answer === undefined) return "authorization_pending";
  if (answer === "refused") return "access_denied";
  return answer === "gone" ? "invalid_grant" : await renewed(deps, { keyId: answer.keyId });
}

/**
 * Replaces a device's tokens. A refresh token works once: one that comes again was copied, so the
 * device ends.
 */
export async function refreshTokens(
  deps: DeviceDeps,
  token: string,
): Promise<DeviceTokens | DeviceFault> {
  const asked = await opened<RefreshToken>(deps.store, token, refreshContext);
  if (!asked || asked.expiresAtMs <= deps.nowMs) return "invalid_grant";
  const { keyId } = asked;
  try {
    return await renewed(deps, { keyId, refreshDigest: digestOf(token) });
  } catch (error) {
    if (!(error instanceof ReplayedToken)) throw error;
    await endDevice(deps, keyId, "A refresh token was used twice");
    return "invalid_grant";
  }
}

/** Ends the device of a refresh token (RFC 7009); does nothing for any other text. */
export async function revokeDevice(deps: DeviceDeps, token: string): Promise<void> {
  const asked = await opened<RefreshToken>(deps.store, token, refreshContext);
  if (asked) await endDevice(deps, asked.keyId, "The device signed out");
}

class ReplayedToken extends Error {}

/** Gives a device new tokens, if its refresh token is `refreshDigest`; absent: if it has none yet. */
async function renewed(
  { store, directory, nowMs }: DeviceDeps,
  { keyId, refreshDigest = "" }: { readonly keyId: string; readonly refreshDigest?: string },
): Promise<DeviceTokens | "invalid_grant"> {
  const known = await directory.keyById(keyId);
  if (!known?.device) return "invalid_grant";
  if (known.device.refreshDigest !== refreshDigest) throw new ReplayedToken();
  if (!known.enabled || (known.expiresAtMs ?? Infinity) <= nowMs) return "invalid_grant";
  const access = newApiKeySecret();
  const refresh = await newRefreshToken(store, keyId, nowMs);
  const device = { refreshDigest: digestOf(refresh), accessEndsAtMs: nowMs + accessLifetimeMs };
  const changed = await updateApiKey(store, keyId, (former) => {
    if (former.device?.refreshDigest === device.refreshDigest) return former; // a commit that was reported as failed
    const { previous: _, ...current } = former;
    if (current.device?.refreshDigest !== refreshDigest) throw new ReplayedToken();
    const expiresAtMs = Math.min(current.device.accessEndsAtMs, nowMs + graceMs);
    return {
      ...current,
      ...keptParts(access),
      ...(expiresAtMs > nowMs && { previous: previousOf(current, expiresAtMs) }),
      device,
    };
  });
  if (!changed) return "invalid_grant";
  const email = (await getUser(store, known.accountId))?.email;
  return { access, refresh, ...(email !== undefined && { email }) };
}

function newRefreshToken(store: Store, keyId: string, nowMs: number): Promise<string> {
  const content: RefreshToken = {
    keyId,
    secret: newToken(),
    expiresAtMs: nowMs + refreshLifetimeMs,
  };
  return store.secretBox.sealCapsule(JSON.stringify(content), refreshContext);
}

async function opened<Content>(
  store: Store,
  text: string,
  context: string,
): Promise<Content | undefined> {
  const content = await store.secretBox.openCapsule(text, context);
  return content === undefined ? undefined : JSON.parse(content); // sealed by us
}

/** Deletes a device's key, with an entry in its owner's name. */
async function endDevice(
  { store, nowMs }: DeviceDeps,
  keyId: string,
  reason: string,
): Promise<void> {
  const apiKey = await getApiKey(store, keyId);
  if (!apiKey?.device) return;
  const { accountId, name } = apiKey;
  const email = (await getUser(store, accountId))?.email;
  const audit: AuditDraft = {
    kind: "key",
    action: "deleted",
    atMs: nowMs,
    actorId: accountId,
    actorName: email ?? accountId,
    targetId: keyId,
    targetName: name,
    changes: [],
    reason,
  };
  await deleteApiKey(store, keyId, { audit });
}
