import { usdText } from "../canonical/mod.ts";
import type { Store } from "../store/mod.ts";
import {
  allIdempotencyKeys,
  allPayments,
  allPostedEntries,
  allRedemptionCodes,
  changeOf,
  contraOf,
  getBalance,
  getContraTotals,
  getRedemptionBatch,
  listWallets,
  type PostedEntry,
  redemptionKey,
  usageEntriesOf,
} from "../store/money/mod.ts";

/**
 * Verifies the ledger of a store without writers: each wallet is the sum of its entries, all ledger
 * accounts sum to zero, no entry is posted twice, usage by key and day adds up to the amount spent,
 * and codes and payments match their entries. Returns a sentence for each difference; none means
 * that the ledger is consistent.
 */
export async function verifyFunds(store: Store): Promise<string[]> {
  const found: Found = {
    funded: new Map(),
    contra: new Map(),
    byKey: new Map(),
    byPayment: new Map(),
  };
  for await (const entry of allPostedEntries(store)) note(found, entry);
  return [
    ...await walletDifferences(store, found),
    ...await contraDifferences(store, found),
    ...await keyDifferences(store, found),
    ...await codeDifferences(store, found),
    ...await paymentDifferences(store, found),
  ];
}

/** The totals of all entries. */
interface Found {
  /** Amounts by account, in nano-dollars. */
  readonly funded: Map<string, bigint>;
  /** By contra account and side, such as `grants debit`. */
  readonly contra: Map<string, bigint>;
  /** The entry of each idempotency key: `ACCOUNT ENTRY`. */
  readonly byKey: Map<string, string>;
  /** The change in the wallet by each payment, by type and reference. */
  readonly byPayment: Map<string, bigint>;
}

function note({ funded, contra, byKey, byPayment }: Found, entry: PostedEntry): void {
  const { accountId, type, amountNanoUsd, reference = "" } = entry;
  const change = changeOf(entry);
  add(funded, accountId, change);
  add(contra, `${contraOf(type)} ${change > 0n ? "debit" : "credit"}`, amountNanoUsd);
  const place = `${accountId} ${entry.id}`;
  const other = byKey.get(entry.idempotencyKey);
  byKey.set(entry.idempotencyKey, other === undefined ? place : `${other} and ${place}`);
  if (type === "payment" || type === "refund") add(byPayment, `${type} ${reference}`, change);
}

async function walletDifferences(store: Store, { funded }: Found): Promise<string[]> {
  const wallets = new Map(
    (await listWallets(store)).map(({ accountId, fundedNanoUsd }) => [accountId, fundedNanoUsd]),
  );
  const differences: string[] = [];
  for (const accountId of new Set([...wallets.keys(), ...funded.keys()])) {
    differences.push(
      ...difference(`the wallet of ${accountId}`, wallets.get(accountId), [
        "its entries",
        funded.get(accountId),
      ]),
      ...await usageDifference(store, accountId),
    );
  }
  return differences;
}

async function usageDifference(store: Store, accountId: string): Promise<string[]> {
  let usage = 0n;
  for await (const { amountNanoUsd } of usageEntriesOf(store, accountId)) usage += amountNanoUsd;
  const { spentNanoUsd } = await getBalance(store, accountId);
  return difference(`the spending of ${accountId}`, spentNanoUsd, ["its usage entries", usage]);
}

/** Compares the stored running totals of the contra accounts with both sides of their entries. */
async function contraDifferences(store: Store, { contra }: Found): Promise<string[]> {
  const totals = await getContraTotals(store);
  const differences: string[] = [];
  let sum = (await listWallets(store)).reduce((total, one) => total + one.fundedNanoUsd, 0n);
  for (
    const account of new Set([
      ...totals.keys(),
      ...[...contra.keys()].map((key) => key.split(" ")[0]),
    ])
  ) {
    const { debitNanoUsd = 0n, creditNanoUsd = 0n } = totals.get(account) ?? {};
    sum += creditNanoUsd - debitNanoUsd;
    const sides = [["debit", debitNanoUsd], ["credit", creditNanoUsd]] as const;
    for (const [side, total] of sides) {
      const entries = contra.get(`${account} ${side}`);
      differences.push(
        ...difference(`the ${side} total of ${account}`, total, ["its entries", entries]),
      );
    }
  }
  if (sum !== 0n) {
    differences.push(`All ledger accounts add up to ${usdText(sum)}, but must add up to $0`);
  }
  return differences;
}

async function keyDifferences(store: Store, { byKey }: Found): Promise<string[]> {
  const differences: string[] = [];
  const unmatched = new Map(byKey);
  for await (const { idempotencyKey, accountId, entryId } of allIdempotencyKeys(store)) {
    const place = unmatched.get(idempotencyKey);
    unmatched.delete(idempotencyKey);
    if (place === `${accountId} ${entryId}`) continue;
    differences.push(
      `The idempotency key ${idempotencyKey} names entry ${accountId} ${entryId}, but ${
        place === undefined ? "no entry has it" : `it is in ${place}`
      }`,
    );
  }
  for (const [idempotencyKey, place] of unmatched) {
    differences.push(`The idempotency key ${idempotencyKey} of entry ${place} is not recorded`);
  }
  return differences;
}

async function codeDifferences(store: Store, { byKey }: Found): Promise<string[]> {
  const differences: string[] = [];
  const entries = new Set(
    [...byKey.keys()].filter((key) => key.startsWith(redemptionKey("", "").slice(0, -1))),
  );
  for await (const { code, accountIds } of allRedemptionCodes(store)) {
    const name = `code ${code.prefix}…${code.lastFour} of ${code.batchId}`;
    const redeemed = accountIds.map((accountId) => redemptionKey(code.digest, accountId));
    const posted = redeemed.filter((key) => entries.delete(key)).length;
    const usesMax = (await getRedemptionBatch(store, code.batchId))?.usesMax ?? 0;
    if (code.used !== posted || posted !== redeemed.length) {
      differences.push(
        `The ${name} counts ${code.used} uses, but lists ${redeemed.length} accounts and has ${posted} entries`,
      );
    }
    if (code.used > usesMax) {
      differences.push(`The ${name} was used ${code.used} times, but allows ${usesMax}`);
    }
  }
  for (const key of entries) {
    differences.push(`The entry ${byKey.get(key)} redeems a code that does not exist`);
  }
  return differences;
}

async function paymentDifferences(store: Store, { byPayment }: Found): Promise<string[]> {
  const differences: string[] = [];
  const unmatched = new Map(byPayment);
  for await (const payment of allPayments(store)) {
    const back = -(payment.refundedNanoUsd + payment.disputedNanoUsd);
    for (
      const [type, amount] of [["payment", payment.creditedNanoUsd], ["refund", back]] as const
    ) {
      const entries = unmatched.get(`${type} ${payment.id}`);
      unmatched.delete(`${type} ${payment.id}`);
      differences.push(
        ...difference(`the ${type} of ${payment.id}`, amount, ["its entries", entries]),
      );
    }
  }
  for (const [what, amount] of unmatched) {
    differences.push(
      `The ${what} of ${usdText(amount)} is in the ledger, but no such payment is stored`,
    );
  }
  return differences;
}

function difference(
  what: string,
  has: bigint | undefined,
  [other, expected = 0n]: readonly [string, bigint | undefined],
): string[] {
  if ((has ?? 0n) === expected) return [];
  const name = what.charAt(0).toUpperCase() + what.slice(1);
  return [`${name} is ${usdText(has ?? 0n)}, but ${other} add up to ${usdText(expected)}`];
}

function add(sums: Map<string, bigint>, name: string, amount: bigint): void {
  sums.set(name, (sums.get(name) ?? 0n) + amount);
}
