import { digestOf, type Store } from "../store/mod.ts";
import { clearSignInAttempts, returnSignInAttempt, takeSignInAttempt } from "../store/users/mod.ts";
import { mayBeProxy, networkOf } from "./network.ts";

/** Free attempts, and the longest wait after them. */
const rules = {
  /** For one account from one address or known browser: a person mistypes a few times. */
  account: { free: 5, waitMsMax: 15 * 60 * 1_000 },
  /**
   * Limits all accounts from one public address together, which stops attempts through a list of
   * names.
   */
  place: { free: 30, waitMsMax: 60 * 1_000 },
  /** For the codes of one account from unknown browsers: very few of a million codes. */
  codes: { free: 10, waitMsMax: 15 * 60 * 1_000 },
  /** For new accounts from one public address. */
  signUps: { free: 5, waitMsMax: 60 * 60 * 1_000 },
  /** For new accounts from an address that many people may share. */
  signUpsOfMany: { free: 50, waitMsMax: 60 * 1_000 },
} as const;

type Rule = typeof rules[keyof typeof rules];

/** An attempt to sign in, and its origin. */
export interface SignInAttempt {
  readonly email: string;
  readonly ip: string | undefined;
  /** The account's known browser; absent for an unknown one. */
  readonly deviceId?: string;
  /** The attempted factor; absent for a password. */
  readonly what?: "code";
}

/**
 * Counts a sign-in attempt. Returns 0 if it may be made, else the time to wait. Waits double up to
 * a maximum, so nobody is locked out permanently. Attempts from elsewhere delay neither the owner's
 * address nor a known browser.
 */
export async function takeAttempt(
  store: Store,
  attempt: SignInAttempt,
  nowMs: number,
): Promise<number> {
  const taken: string[] = [];
  for (const { bucket, rule } of boundsOf(attempt)) {
    const waitMs = await takeSignInAttempt(store, bucket, { nowMs, waitMs: waiting(rule) });
    if (waitMs > 0) {
      await Promise.all(taken.map((one) => returnSignInAttempt(store, one)));
      return waitMs;
    }
    taken.push(bucket);
  }
  return 0;
}

/**
 * Makes a counted attempt. If it could not be made, for example because too many are waiting, it is
 * not counted.
 */
export async function makeAttempt<Result>(
  store: Store,
  attempt: SignInAttempt,
  make: () => Promise<Result>,
): Promise<Result> {
  try {
    return await make();
  } catch (error) {
    await Promise.all(boundsOf(attempt).map(({ bucket }) => returnSignInAttempt(store, bucket)));
    throw error;
  }
}

/** Forgets the failed attempts of the account from this address after a success. */
export async function forgiveAttempts(store: Store, attempt: SignInAttempt): Promise<void> {
  await Promise.all(
    boundsOf(attempt).map(({ bucket, rule }) =>
      rule === rules.place
        ? returnSignInAttempt(store, bucket) // attempts for other accounts still count
        : clearSignInAttempts(store, bucket)
    ),
  );
}

/** Counts a sign-up attempt. Returns 0 if it may be made, else the time to wait. */
export function takeSignUp(store: Store, ip: string | undefined, nowMs: number): Promise<number> {
  const rule = mayBeProxy(ip) ? rules.signUpsOfMany : rules.signUps;
  const bucket = digestOf(`sign-up ${placeOf(ip)}`);
  return takeSignInAttempt(store, bucket, { nowMs, waitMs: waiting(rule) });
}

interface Bound {
  readonly bucket: string;
  readonly rule: Rule;
}

function boundsOf({ email, ip, deviceId, what }: SignInAttempt): readonly Bound[] {
  const from = deviceId === undefined ? placeOf(ip) : `device ${deviceId}`;
  const prefix = what === undefined ? "" : `${what} `;
  const account = { bucket: digestOf(`${prefix}${email} ${from}`), rule: rules.account };
  if (deviceId !== undefined) return [account];
  if (what === "code") return [account, { bucket: digestOf(`codes ${email}`), rule: rules.codes }];
  const place = { bucket: digestOf(from), rule: rules.place };
  return mayBeProxy(ip) ? [account] : [account, place];
}

function placeOf(ip: string | undefined): string {
  return ip === undefined ? "unknown" : networkOf(ip);
}

/** Returns the wait after a number of attempts: none at first, then doubling. */
export function waiting(
  { free, waitMsMax }: { readonly free: number; readonly waitMsMax: number },
): (count: number) => number {
  return (count) => count < free ? 0 : Math.min(waitMsMax, 1_000 * 2 ** (count - free));
}
