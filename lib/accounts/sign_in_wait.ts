import {
  clearSignInAttempts,
  digestOf,
  returnSignInAttempt,
  type Store,
  takeSignInAttempt,
} from "../store/mod.ts";
import { mayBeProxy, networkOf } from "./network.ts";

/** How many attempts are free, and how long the growing wait after them may get. */
const rules = {
  /** For one account from one place: five slips are human. */
  account: { free: 5, waitMsMax: 15 * 60 * 1_000 },
  /** For all accounts from one public address: enough to stop a list of names. */
  place: { free: 30, waitMsMax: 60 * 1_000 },
} as const;

interface Attempt {
  readonly email: string;
  readonly ip: string | undefined;
}

/**
 * Counts an attempt to sign in. Returns 0 when it may be made, else how long to wait. Waits double
 * up to a bound, so nobody is shut out for good, and who is elsewhere is not held up at all.
 */
export async function takeAttempt(store: Store, attempt: Attempt, nowMs: number): Promise<number> {
  const { account, place } = bucketsOf(attempt);
  const rule = waiting(rules.account);
  const accountWaitMs = await takeSignInAttempt(store, account, { nowMs, waitMs: rule });
  if (accountWaitMs > 0 || mayBeProxy(attempt.ip)) return accountWaitMs;
  const placeWaitMs = await takeSignInAttempt(store, place, {
    nowMs,
    waitMs: waiting(rules.place),
  });
  if (placeWaitMs > 0) await returnSignInAttempt(store, account);
  return placeWaitMs;
}

/** The attempt succeeded: the account's slips from this place are forgotten. */
export async function forgiveAttempts(store: Store, attempt: Attempt): Promise<void> {
  const { account, place } = bucketsOf(attempt);
  await Promise.all([clearSignInAttempts(store, account), returnSignInAttempt(store, place)]);
}

function bucketsOf({ email, ip }: Attempt): { readonly account: string; readonly place: string } {
  const place = ip === undefined ? "unknown" : networkOf(ip);
  return { account: digestOf(`${email} ${place}`), place: digestOf(place) };
}

/** How long to wait after so many attempts: not at all for the first, then twice as long each time. */
export function waiting(
  { free, waitMsMax }: { readonly free: number; readonly waitMsMax: number },
): (count: number) => number {
  return (count) => count < free ? 0 : Math.min(waitMsMax, 1_000 * 2 ** (count - free));
}
