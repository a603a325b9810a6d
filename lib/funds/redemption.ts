import { crc32 } from "node:zlib";
import { codeAlphabet, groupedCode, randomCode, readCode, waiting } from "../accounts/mod.ts";
import type { AuditDraft } from "../store/audit/mod.ts";
import { digestOf, type Store } from "../store/mod.ts";
import { type LedgerEntry, redeemCode } from "../store/money/mod.ts";
import { clearSignInAttempts, returnSignInAttempt, takeSignInAttempt } from "../store/users/mod.ts";

/** 21 characters are 105 bits. */
const randomLength = 21;
const checksumLength = 4;
const groupLength = 5;

/**
 * Returns a new code such as `7K3QX-0H2MD-…`: 105 random bits and a checksum, in five groups of
 * five.
 */
export function newRedemptionCode(): string {
  const random = randomCode(randomLength);
  return groupedCode(random + checksumOf(random), groupLength);
}

/**
 * Normalizes an entered code to the form that is digested; see `readCode`. Returns undefined if the
 * length, the alphabet or the checksum is wrong.
 */
export function readRedemptionCode(entered: string): string | undefined {
  const code = readCode(entered, randomLength + checksumLength);
  return code?.endsWith(checksumOf(code.slice(0, randomLength))) ? code : undefined;
}

/** The visible part of a normalized code: its first and last four characters. */
export function visibleParts(code: string): { readonly prefix: string; readonly lastFour: string } {
  return { prefix: code.slice(0, 4), lastFour: code.slice(-4) };
}

function checksumOf(random: string): string {
  let text = "";
  for (let rest = crc32(random); text.length < checksumLength; rest = Math.floor(rest / 32)) {
    text = codeAlphabet[rest % 32] + text;
  }
  return text;
}

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
  const code = readRedemptionCode(entered);
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
