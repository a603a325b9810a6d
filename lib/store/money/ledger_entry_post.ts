import { addAuditEntry, type AuditDraft } from "../audit/audit_entry.ts";
import { StoreError } from "../kv/error.ts";
import { newOrderedId } from "../kv/id.ts";
import { keys } from "../keys.ts";
import {
  changeOf,
  entryRules,
  getEntry,
  type LedgerEntry,
  type Posted,
  type PostedEntry,
  type PostedType,
  putEntry,
} from "./ledger_entry.ts";
import { getEntries } from "../kv/entries.ts";

import type { Store } from "../kv/store.ts";
import { untilCommitted } from "../kv/until_committed.ts";
import { balanceIn, readWallet, setWallet, walletId } from "./wallet.ts";

/** An entry to be posted. Usage is not posted: the gateway adds it up by key and day. */
export interface EntryDraft
  extends Pick<LedgerEntry, "atMs" | "accountId" | "reason" | "actor" | "reference"> {
  readonly type: PostedType;
  /** The change to the wallet in nano-dollars; positive for incoming money. */
  readonly changeNanoUsd: bigint;
  /** However often it is posted under this key, it is in the ledger once. 1 to 200 characters. */
  readonly idempotencyKey: string;
}

interface AddedEntry {
  readonly entry: PostedEntry;
  /** It was in the ledger already, under the same key. */
  readonly repeated: boolean;
}

/** The result of adding entries to a commit. */
type AddResult =
  | { readonly type: "added"; readonly entries: readonly AddedEntry[] }
  | Insufficient;

/** The result of posting an entry: posted now, or already there under its key. */
export type PostResult =
  | { readonly type: "posted" | "repeated"; readonly entry: PostedEntry }
  | Insufficient;

/** `freeNanoUsd` is what of the balance running gateways do not hold for calls. */
export interface Insufficient {
  readonly type: "insufficient";
  readonly balanceNanoUsd: bigint;
  readonly freeNanoUsd: bigint;
}

/** Options of posting an entry. */
export interface PostOptions {
  /** Also where the balance falls below 0: for what has happened elsewhere and is only recorded here. */
  readonly overdraw?: boolean;
  /** Written in the same commit; not where the entry was there already. */
  readonly audit?: AuditDraft;
}

const keyLengthMax = 200;

/** Posts one entry, exactly once however often and by however many it is tried. */
export async function postEntry(
  store: Store,
  draft: EntryDraft,
  options: PostOptions = {},
): Promise<PostResult> {
  return await untilCommitted("wallet", async () => {
    const operation = store.kv.atomic();
    const result = await addEntries(store, operation, [draft], options);
    if (result.type === "insufficient") return result;
    const [{ entry, repeated }] = result.entries;
    if (repeated) return { type: "repeated" as const, entry };
    addAuditEntry(operation, options.audit);
    return (await operation.commit()).ok ? { type: "posted" as const, entry } : undefined;
  });
}

/**
 * Adds entries of one account to a commit, with the wallet that they change. The commit checks the
 * wallet and each entry's key: where it fails, begin again with a new operation. Throws
 * `already_exists` where a key was used for another entry. Of a commit's ten checks it takes two
 * and one for each entry.
 */
export async function addEntries(
  store: Store,
  operation: Deno.AtomicOperation,
  drafts: readonly EntryDraft[],
  options: PostOptions = {},
): Promise<AddResult> {
  const state = await readState(store, drafts);
  const entries = await entriesFor(store, drafts, state);
  const fresh = entries.filter(({ repeated }) => !repeated).map(({ entry }) => entry);
  const last = fresh.at(-1);
  if (last === undefined) return { type: "added", entries };
  const change = fresh.reduce((sum, entry) => sum + changeOf(entry), 0n);
  if (change < 0n && !options.overdraw) {
    const refusal = insufficient(state, change);
    if (refusal) return refusal;
    operation.check(state.allowance);
  }
  operation.check(state.wallet);
  const { fundedNanoUsd } = readWallet(state.wallet.value);
  const wallet = { fundedNanoUsd: fundedNanoUsd + change, lastEntryId: last.id };
  setWallet(operation, last.accountId, wallet);
  for (const entry of fresh) putEntry(operation, entry);
  return { type: "added", entries };
}

interface State {
  readonly wallet: Deno.KvEntryMaybe<unknown>;
  readonly spent: Deno.KvEntryMaybe<unknown>;
  readonly allowance: Deno.KvEntryMaybe<unknown>;
  /** In the order of the drafts. */
  readonly posted: readonly Deno.KvEntryMaybe<unknown>[];
}

async function readState(store: Store, drafts: readonly EntryDraft[]): Promise<State> {
  const [{ accountId }] = drafts;
  for (const draft of drafts) assertPossible(draft, accountId);
  const [wallet, spent, allowance, ...posted] = await getEntries(store, [
    keys.wallet(accountId),
    keys.allowanceSpent(walletId(accountId)),
    keys.allowance(walletId(accountId)),
    ...drafts.map(({ idempotencyKey }) => keys.ledgerPosted(idempotencyKey)),
  ]);
  return { wallet, spent, allowance, posted };
}

/** Rejects impossible drafts. Functions of `funds` refuse user errors before, with messages of their own. */
function assertPossible(draft: EntryDraft, accountId: string): void {
  const { type, changeNanoUsd, idempotencyKey } = draft;
  const { into, outOf } = entryRules[type];
  const possible = draft.accountId === accountId && idempotencyKey !== "" &&
    idempotencyKey.length <= keyLengthMax &&
    (changeNanoUsd > 0n ? into : changeNanoUsd < 0n && outOf);
  if (!possible) throw new RangeError(`Cannot post ${type}: its amount, account or key is wrong`);
}

/** Counts leased money as unavailable: calls in flight spend it. */
function insufficient(
  { wallet, spent, allowance }: State,
  change: bigint,
): Insufficient | undefined {
  const { fundedNanoUsd, balanceNanoUsd } = balanceIn(wallet.value, spent.value);
  const unleased = fundedNanoUsd - allottedIn(allowance.value);
  const freeNanoUsd = unleased < balanceNanoUsd ? unleased : balanceNanoUsd;
  if (freeNanoUsd + change >= 0n) return undefined;
  return { type: "insufficient", balanceNanoUsd, freeNanoUsd };
}

function allottedIn(value: unknown): bigint {
  return value === null ? 0n : (value as { readonly allotted: bigint }).allotted; // only allowance.ts writes it
}

/** New entries follow one another and all that the wallet has; those that are there stay as they are. */
async function entriesFor(
  store: Store,
  drafts: readonly EntryDraft[],
  { wallet, posted }: State,
): Promise<AddedEntry[]> {
  const entries: AddedEntry[] = [];
  let last = readWallet(wallet.value).lastEntryId;
  for (const [place, draft] of drafts.entries()) {
    const { value } = posted[place];
    const entry = value === null ? entryOf(draft, last) : await earlier(store, draft, value);
    if (value === null) last = entry.id;
    entries.push({ entry, repeated: value !== null });
  }
  return entries;
}

async function earlier(store: Store, draft: EntryDraft, value: unknown): Promise<PostedEntry> {
  const { accountId, entryId } = value as Posted; // only putEntry writes it
  const entry = await getEntry(store, accountId, entryId);
  const same = entry?.accountId === draft.accountId && entry.type === draft.type &&
    changeOf(entry) === draft.changeNanoUsd;
  if (same) return entry;
  throw new StoreError(
    "already_exists",
    "Cannot post entry: its idempotency key was used for another one",
  );
}

function entryOf({ changeNanoUsd, ...draft }: EntryDraft, previous: string | undefined) {
  const wallet = `wallet:${draft.accountId}` as const;
  const { contra } = entryRules[draft.type];
  const comesIn = changeNanoUsd > 0n;
  return {
    ...draft,
    id: newOrderedId(draft.atMs, previous),
    debit: comesIn ? contra : wallet,
    credit: comesIn ? wallet : contra,
    amountNanoUsd: comesIn ? changeNanoUsd : -changeNanoUsd,
  } satisfies PostedEntry;
}
