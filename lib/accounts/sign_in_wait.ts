import { digestOf, type Store } from "../store/mod.ts";
import { clearSignInAttempts, returnSignInAttempt, takeSignInAttempt } from "../store/users/mod.ts";
import { mayBeProxy, networkOf } from "./network.ts";

/** Free attempts, and the longest wait after them. */
const rules = {
  /** For one account from one place or one browser of its own: five slips are human. */
  account: { free: 5, waitMsMax: 15 * 60 * 1_000 },
  /**
   * Limits all accounts from one public address together, which stops attempts through a list of
   * names.
   */
  place: { free: 30, waitMsMax: 60 * 1_000 },
  /** For the codes of one account from wherever nobody of it has signed in before: few of a million. */
  codes: { free: 10, waitMsMax: 15 * 60 * 1_000 },
  /** For new accounts from one public address. */
  signUps: { free: 5, waitMsMax: 60 * 60 * 1_000 },
  /** For new accounts from an address that many may share. */
  signUpsOfMany: { free: 50, waitMsMax: 60 * 1_000 },
} as const;

type Rule = typeof rules[keyof typeof rules];

/** An attempt to sign in, and its origin. */
export interface Attempt {
  readonly email: string;
  readonly ip: string | undefined;
  /** The account's own browser, where it is one. */
  readonly deviceId?: string;
  /** The attempted factor; absent for a password. */
  readonly what?: "code";
}

/**
 * Counts an attempt to sign in. Returns 0 if it may be made, else the wait. Waits double up to a
 * bound, so nobody is locked out forever. Attempts from elsewhere do not delay the owner, nor do
 * they delay a known browser of the account.
 */
export async function takeAttempt(store: Store, attempt: Attempt, nowMs: number): Promise<number> {
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
 * Makes an attempt that was counted. One that could not be made, such as where too many wait,
 * counts no more and leaves nothing behind.
 */
export async function makeAttempt<Result>(
  store: Store,
  attempt: Attempt,
  make: () => Promise<Result>,
): Promise<Result> {
  try {
    return await make();
  } catch (error) {
    await Promise.all(boundsOf(attempt).map(({ bucket }) => returnSignInAttempt(store, bucket)));
    throw error;
  }
}

/** The attempt succeeded: the account's slips from this place are forgotten. */
export async function forgiveAttempts(store: Store, attempt: Attempt): Promise<void> {
  await Promise.all(
    boundsOf(attempt).map(({ bucket, rule }) =>
      rule === rules.place
        ? returnSignInAttempt(store, bucket) // the others' from there stay
        : clearSignInAttempts(store, bucket)
    ),
  );
}

/** Counts a request for an account. Returns 0 if it may be made, else the wait. */
export function takeSignUp(store: Store, ip: string | undefined, nowMs: number): Promise<number> {
  const rule = mayBeProxy(ip) ? rules.signUpsOfMany : rules.signUps;
  const bucket = digestOf(`sign-up ${placeOf(ip)}`);
  return takeSignInAttempt(store, bucket, { nowMs, waitMs: waiting(rule) });
}

interface Bound {
  readonly bucket: string;
  readonly rule: Rule;
}

function boundsOf({ email, ip, deviceId, what }: Attempt): readonly Bound[] {
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
