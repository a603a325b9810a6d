import { digestOf, type Store } from "../store/mod.ts";
import {
  type AttemptCount,
  clearSignInAttempts,
  returnSignInAttempt,
  signInWait,
  takeSignInAttempt,
} from "../store/users/mod.ts";
import { mayBeProxy, networkOf } from "./network.ts";

/** Free attempts, the longest wait after them, and the time that takes one back. */
interface Rule {
  readonly free: number;
  readonly waitMsMax: number;
  readonly oneForgottenMs?: number;
}

const rules = {
  /** For one account from one address or known browser: a person mistypes a few times. */
  account: { free: 5, waitMsMax: 15 * 60 * 1_000 },
  /**
   * Limits all accounts from one public address together, which stops attempts through a list of
   * names.
   */
  place: { free: 30, waitMsMax: 60 * 1_000 },
  /**
   * For the passwords of one account from all unknown browsers together, whether or not there is
   * such an account: 40 in any hour, 6 an hour in the long run. Forgets slips of the owner; the
   * record of a name that somebody made up is gone after ten minutes.
   */
  passwords: { free: 20, waitMsMax: 15 * 60 * 1_000, oneForgottenMs: 10 * 60 * 1_000 },
  /** For the codes of one account from unknown browsers: very few of a million codes. */
  codes: { free: 10, waitMsMax: 15 * 60 * 1_000 },
  /** For new accounts from one public address. */
  signUps: { free: 5, waitMsMax: 60 * 60 * 1_000 },
  /** For new accounts from an address that many people may share. */
  signUpsOfMany: { free: 50, waitMsMax: 60 * 1_000 },
} as const satisfies Record<string, Rule>;

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
 * a maximum, so nobody is locked out permanently. Attempts from elsewhere do not delay a known
 * browser. An attempt that must wait changes nothing in the store.
 */
export async function takeAttempt(
  store: Store,
  attempt: SignInAttempt,
  nowMs: number,
): Promise<number> {
  const bounds = boundsOf(attempt);
  for (const { bucket, rule } of bounds) {
    const waitMs = await signInWait(store, bucket, { nowMs, ...counting(rule) });
    if (waitMs > 0) return waitMs;
  }
  for (const [at, { bucket, rule }] of bounds.entries()) {
    const waitMs = await takeSignInAttempt(store, bucket, { nowMs, ...counting(rule) });
    if (waitMs > 0) {
      await takeBack(store, bounds.slice(0, at));
      return waitMs;
    }
  }
  return 0;
}

async function takeBack(store: Store, bounds: readonly Bound[]): Promise<void> {
  await Promise.all(
    bounds.map(({ bucket, rule }) => returnSignInAttempt(store, bucket, counting(rule))),
  );
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
    await takeBack(store, boundsOf(attempt));
    throw error;
  }
}

/**
 * Forgets the failed attempts of the account from this address after a success. Attempts for other
 * accounts and those from elsewhere still count: the owner's success frees no guesser.
 */
export async function forgiveAttempts(store: Store, attempt: SignInAttempt): Promise<void> {
  const bounds = boundsOf(attempt);
  const isShared = ({ rule }: Bound) => rule === rules.place || rule === rules.passwords;
  await takeBack(store, bounds.filter(isShared));
  const own = bounds.filter((bound) => !isShared(bound));
  await Promise.all(own.map(({ bucket }) => clearSignInAttempts(store, bucket)));
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
  const passwords = { bucket: digestOf(`passwords ${email}`), rule: rules.passwords };
  return mayBeProxy(ip) ? [account, passwords] : [account, place, passwords];
}

function placeOf(ip: string | undefined): string {
  return ip === undefined ? "unknown" : networkOf(ip);
}

function counting(rule: Rule): AttemptCount {
  return { waitMs: waiting(rule), oneForgottenMs: rule.oneForgottenMs };
}

/** Returns the wait after a number of attempts: none at first, then doubling. */
export function waiting({ free, waitMsMax }: Rule): (count: number) => number {
  return (count) => count < free ? 0 : Math.min(waitMsMax, 1_000 * 2 ** (count - free));
}
