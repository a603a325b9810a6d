import { may } from "../accounts/mod.ts";
import { hasHidden, nanoUsdIn, usdText } from "../canonical/mod.ts";
import type { AuditDraft } from "../store/audit/mod.ts";
import type { Store } from "../store/mod.ts";
import {
  type Insufficient,
  type LedgerEntry,
  postEntry,
  type PostOptions,
  type PostResult,
  recallLeases,
  walletId,
} from "../store/money/mod.ts";
import { defaultSpending, getUser, type User } from "../store/users/mod.ts";

/** A change that an administrator makes to the wallet of an account. */
export interface FundsChange {
  readonly administrator: User;
  readonly accountId: string;
  /** In nano-dollars: positive credits the wallet, negative debits it. */
  readonly changeNanoUsd: bigint;
  /** Shown in the ledger: 1 to 500 characters. */
  readonly reason: string;
  /**
   * One per intent, such as one per rendered form, so that a retry posts nothing. At most 150
   * characters.
   */
  readonly idempotencyKey: string;
  /** Written to the audit log in the same commit. */
  readonly audit?: AuditDraft;
}

/** The result of changing an account's funds; `message` is shown to the administrator. */
export type FundsResult =
  | { readonly type: "posted" | "repeated"; readonly entry: LedgerEntry }
  | {
    readonly type: "invalid";
    readonly field: "account" | "amount" | "reason";
    readonly message: string;
  }
  /** The balance does not cover it. */
  | { readonly type: "insufficient"; readonly message: string }
  | { readonly type: "forbidden"; readonly message: string };

type Invalid = Extract<FundsResult, { type: "invalid" }>;

/** The most that one entry may move: a million dollars. */
export const entryNanoUsdMax = 10n ** 15n;
/** The most characters of the reason of a change. */
export const reasonLengthMax = 500;

/** Credits an account. */
export async function grantFunds(
  store: Store,
  grant: FundsChange,
  nowMs: number,
): Promise<FundsResult> {
  if (grant.changeNanoUsd <= 0n) return invalid("amount", "Enter an amount above $0");
  return await change(store, { ...grant, type: "grant" }, nowMs);
}

/**
 * Corrects a wallet in either direction. A debit cannot exceed the balance less what running calls
 * have reserved, except on an account with unlimited spending.
 */
export async function adjustFunds(
  store: Store,
  adjustment: FundsChange,
  nowMs: number,
): Promise<FundsResult> {
  return await change(store, { ...adjustment, type: "adjustment" }, nowMs);
}

async function change(
  store: Store,
  { administrator, audit, ...fields }: FundsChange & { readonly type: "grant" | "adjustment" },
  nowMs: number,
): Promise<FundsResult> {
  if (!may(administrator, "wallets:write")) return forbidden;
  const reason = fields.reason.trim();
  const fault = amountFault(fields.changeNanoUsd) ?? reasonFault(reason);
  if (fault) return fault;
  const spending = await spendingOf(store, fields.accountId);
  if (spending === undefined) return invalid("account", "There is no such account");
  const draft = { ...fields, reason, atMs: nowMs, actor: administrator.id } as const;
  const idempotencyKey = `${fields.type}:${fields.idempotencyKey}`;
  const options = { overdraw: spending === "unlimited", audit };
  const result = await posted(store, { ...draft, idempotencyKey }, options);
  return result.type === "insufficient" ? refusal(result) : result;
}

/** A recaller id that no isolate has: every isolate returns its leases. */
export const everyIsolate = "";
const recallsMax = 20;
const recallPauseMs = 50;

/** Posts an entry. If only leases prevent it, recalls the unused part of them and retries. */
async function posted(
  store: Store,
  draft: Parameters<typeof postEntry>[1],
  options: PostOptions,
): Promise<PostResult> {
  for (let recalls = 0;; recalls++) {
    const result = await postEntry(store, draft, options);
    const isHeld = result.type === "insufficient" &&
      result.balanceNanoUsd + draft.changeNanoUsd >= 0n;
    if (!isHeld || recalls === recallsMax) return result;
    if (recalls === 0) await recallLeases(store, walletId(draft.accountId), everyIsolate);
    await new Promise((resolve) => setTimeout(resolve, recallPauseMs));
  }
}

/**
 * Returns undefined if the account does not exist. The first account exists even before its set-up.
 */
async function spendingOf(store: Store, accountId: string) {
  const user = await getUser(store, accountId);
  if (user) return user.spending;
  const spending = defaultSpending(accountId);
  return spending === "unlimited" ? spending : undefined;
}

function amountFault(nanoUsd: bigint): Invalid | undefined {
  if (nanoUsd === 0n) return invalid("amount", "Enter an amount other than $0");
  const size = nanoUsd < 0n ? -nanoUsd : nanoUsd;
  if (size <= entryNanoUsdMax) return undefined;
  return invalid("amount", `Enter an amount of at most ${usdText(entryNanoUsdMax)}`);
}

function reasonFault(reason: string): Invalid | undefined {
  if (reason === "") return invalid("reason", "Enter a reason, as it stays in the ledger");
  if (reason.length <= reasonLengthMax && !hasHidden(reason)) return undefined;
  return invalid("reason", `Enter a reason of at most ${reasonLengthMax} visible characters`);
}

function refusal({ balanceNanoUsd, freeNanoUsd }: Insufficient): FundsResult {
  const held = balanceNanoUsd - freeNanoUsd;
  const holding = held > 0n ? `, of which calls hold ${usdText(held)}` : "";
  return {
    type: "insufficient",
    message: `Cannot deduct that much: the balance is ${usdText(balanceNanoUsd)}${holding}`,
  };
}

function invalid(field: Invalid["field"], message: string): Invalid {
  return { type: "invalid", field, message };
}

const forbidden = {
  type: "forbidden",
  message: "Only administrators may change an account's balance",
} as const satisfies FundsResult;

/**
 * Reads an entered amount (`5`, `0.50`, `12,5`) in nano-dollars; undefined unless it is above 0.
 */
export function readUsd(entered: string): bigint | undefined {
  const text = entered.trim().replace(/^\$\s*/, "");
  return /^\d{1,7}(?:[.,]|$)/.test(text) ? nanoUsdIn(text.replace(",", ".")) : undefined;
}
