import { waiting } from "../accounts/mod.ts";
import type { AuditDraft } from "../store/audit/mod.ts";
import { digestOf, type Store } from "../store/mod.ts";
import { type LedgerEntry, redeemCode } from "../store/money/mod.ts";
import { clearSignInAttempts, returnSignInAttempt, takeSignInAttempt } from "../store/users/mod.ts";
import { readCode } from "./code_text.ts";

/** The result of entering a code; `message` is shown to the user. */
export type RedeemResult =
  | { readonly type: "redeemed"; readonly entry: LedgerEntry }
  /** This account redeemed the code before, at that time. */
  | { readonly type: "repeated"; readonly atMs: number }
  /** The account has redeemed the most codes of this batch that one account may. */
  | { readonly type: "limited"; readonly perAccountMax: number }
  /** Mistyped, unknown, used up, expired or disabled: `message` does not reveal which. */
  | { readonly type: "refused"; readonly message: string }
  | { readonly type: "wait"; readonly message: string; readonly retryAfterSeconds: number };

/** Five wrong codes are free; then the wait doubles, up to a quarter of an hour. */
const waitMs = waiting({ free: 5, waitMsMax: 15 * 60 * 1_000 });

/**
 * Redeems an entered code, at most once per account. Wrong codes cost a growing wait, so that codes
 * cannot be guessed.
 */
export async function redeem(
  store: Store,
  { accountId, entered, audit }: {
    readonly accountId: string;
    readonly entered: string;
    /** Written to the audit log in the same commit. */
    readonly audit?: (entry: LedgerEntry) => AuditDraft;
  },
  nowMs: number,
): Promise<RedeemResult> {
  const attempts = digestOf(`redeem ${accountId}`);
  const leftMs = await takeSignInAttempt(store, attempts, { nowMs, waitMs });
  if (leftMs > 0) return wait(leftMs);
  const code = readCode(entered);
  if (code === undefined) return refused;
  const redemption = await redeemCode(store, { digest: digestOf(code), accountId, nowMs, audit });
  switch (redemption.type) {
    case "redeemed":
      await clearSignInAttempts(store, attempts);
      return redemption;
    case "limited":
    case "repeated":
      await returnSignInAttempt(store, attempts);
      return redemption;
    case "unusable":
      return refused;
    default:
      return redemption satisfies never;
  }
}

const refused = {
  type: "refused",
  message: "The code is mistyped, used up, expired or unknown",
} as const satisfies RedeemResult;

function wait(leftMs: number): RedeemResult {
  const retryAfterSeconds = Math.ceil(leftMs / 1_000);
  const unit = retryAfterSeconds === 1 ? "second" : "seconds";
  return {
    type: "wait",
    message: `Too many wrong codes. Try again in ${retryAfterSeconds} ${unit}`,
    retryAfterSeconds,
  };
}
