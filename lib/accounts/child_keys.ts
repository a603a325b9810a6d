import { z } from "zod";
import { BoundedMap } from "../bounded_map.ts";
import { GatewayError, nanoUsdIn } from "../canonical/mod.ts";
import type { KnownKey } from "../store/directory/mod.ts";
import { type CallSession, sessionName, sessionNameText } from "../store/log/mod.ts";
import { digestOf } from "../store/mod.ts";
import { type Caller, callerOf, type ChildKey, type From, type KeyDirectory } from "./authorize.ts";

/** Finds the keys that sign children, from memory once they are loaded. */
interface ParentDirectory extends KeyDirectory {
  findKeyByDigest(digest: string): Promise<KnownKey | undefined>;
  /** Returns false if too many other children of the key with budgets live. */
  admitsChild(key: KnownKey, child: ChildKey, nowMs: number): Promise<boolean>;
}

/** The longest time from a call to the end of its child key: what a copied one can do is bounded. */
const lifetimeMsMax = 24 * 60 * 60 * 1_000;
/** The clock of the signer may be ahead by as much. */
const skewMs = 60_000;
const tokenCharsMax = 4_096;
const verifiedMax = 10_000;

const name = z.string().regex(sessionName, { error: `needs ${sessionNameText}` });
const budget = z.union([z.string(), z.number()]).transform((usd, context) => {
  const nanoUsd = nanoUsdIn(String(usd));
  if (nanoUsd !== undefined) return nanoUsd;
  context.addIssue("needs dollars above 0 with at most 9 decimals, such as 2.50");
  return z.NEVER;
});
const claimSet = z.strictObject({
  sub: name,
  exp: z.int(),
  iat: z.int().optional(),
  session: name.optional(),
  budget: budget.optional(),
  models: z.array(z.string().min(1).max(200)).min(1).max(100).optional(),
});

/** A token whose signature and claims are right, by its digest: a fact as long as its key exists. */
const verified = new BoundedMap<string, { readonly signedBy: string; readonly child: ChildKey }>(
  verifiedMax,
);

/** Returns the session of a child's calls, and the sub-agent of it that the child is. */
export function sessionOfChild({ sessionId, name }: ChildKey): CallSession {
  return sessionId === undefined || sessionId === name
    ? { id: name }
    : { id: sessionId, agent: name };
}

/** Returns true for a text that can only be a child key: a JSON Web Token. */
export function isChildKey(secret: string): boolean {
  return secret.startsWith("eyJ"); // {" in base64url
}

/**
 * Returns the caller of a child key: its parent, narrowed to what the token states. Throws
 * `invalid_api_key` for a token that is malformed, altered or has ended, the errors of `authorize`
 * for the parent, and `rate_limit_exceeded` if the parent has too many children with budgets.
 */
export async function authorizeChild(
  token: string,
  from: From,
  directory: ParentDirectory,
): Promise<Caller> {
  if (token.length > tokenCharsMax) throw refused(`it has more than ${tokenCharsMax} characters`);
  const digest = digestOf(token);
  const known = verified.get(digest);
  const signedBy = known?.signedBy ?? await signerOf(token);
  const key = await directory.findKeyByDigest(signedBy);
  if (!key) throw refused("the secret that signed it was replaced, was deleted or never existed");
  const child = known?.child ?? await verify(token, publicKeyOf(key, signedBy), from.nowMs);
  if (child.endsAtMs <= from.nowMs) throw ended();
  const caller = callerOf(key, { ...from, secret: token }, directory);
  if (!known) {
    await assertRoom(key, child, { directory, nowMs: from.nowMs });
    verified.set(digest, { signedBy, child });
  }
  return { ...caller, child };
}

async function assertRoom(
  key: KnownKey,
  child: ChildKey,
  { directory, nowMs }: { readonly directory: ParentDirectory; readonly nowMs: number },
): Promise<void> {
  if (child.nanoUsd === undefined || await directory.admitsChild(key, child, nowMs)) return;
  throw new GatewayError(
    "rate_limit_exceeded",
    "The API key has too many child keys with budgets. Not charged. Wait until some of them end, " +
      "or sign fewer",
  );
}

/** The digest of the secret that signed a token, as the token states it. */
async function signerOf(token: string): Promise<string> {
  const { decodeProtectedHeader } = await import("jose");
  const kid: unknown = attempt(() => decodeProtectedHeader(token))?.kid;
  if (typeof kid === "string" && /^[0-9a-f]{64}$/.test(kid)) return kid;
  throw refused("its header needs kid, the SHA-256 of the secret that signs it in hexadecimal");
}

function attempt<Result>(read: () => Result): Result | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

function publicKeyOf({ digest, publicKey, previous }: KnownKey, signedBy: string): string {
  const found = digest === signedBy ? publicKey : previous?.publicKey;
  if (found !== undefined) return found;
  throw refused("its API key signs no child keys yet. Rotate the API key at /console/token");
}

async function verify(token: string, publicKey: string, nowMs: number): Promise<ChildKey> {
  const { errors, jwtVerify } = await import("jose");
  const key = { kty: "OKP", crv: "Ed25519", x: publicKey };
  const options = { algorithms: ["EdDSA"], currentDate: new Date(nowMs) };
  const { payload } = await jwtVerify(token, key, options).catch((error) => {
    if (error instanceof errors.JWTExpired) throw ended();
    throw error instanceof errors.JOSEError ? refused(error.message) : error;
  });
  const { data, error } = claimSet.safeParse(payload);
  if (!data) {
    const [{ path, message }] = error.issues;
    throw refused(
      `${path.length === 0 ? "its claims" : `the claim ${String(path[0])}`}: ${message}`,
    );
  }
  const { sub, exp, session, budget: nanoUsd, models } = data;
  const endsAtMs = exp * 1_000;
  if (endsAtMs > nowMs + lifetimeMsMax + skewMs) throw refused("exp is more than 24 hours away");
  return {
    name: sub,
    endsAtMs,
    ...(session !== undefined && { sessionId: session }),
    ...(nanoUsd !== undefined && { nanoUsd }),
    ...(models && { models }),
  };
}

function ended(): GatewayError {
  return refused("it has ended. Sign another");
}

function refused(fault: string): GatewayError {
  return new GatewayError("invalid_api_key", `Invalid child key: ${fault}`);
}
