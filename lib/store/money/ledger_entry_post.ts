import { addAuditEntry, type AuditDraft } from "../audit/audit_entry.ts";
import { keys } from "../keys.ts";
import type { AtomicOperation } from "../kv/database.ts";
import { readInBatches } from "../kv/engine.ts";
import { StoreError } from "../kv/error.ts";
import { newOrderedId } from "../kv/id.ts";
import type { Store } from "../kv/store.ts";
import { untilCommitted } from "../kv/until_committed.ts";
import { allottedIn } from "./allowance.ts";
import {
  changeOf,
  entryRules,
  getEntry,
  type LedgerEntry,
  type PostedEntry,
  type PostedReference,
  type PostedType,
  putEntry,
} from "./ledger_entry.ts";
import { balanceIn, readWallet, setWallet, walletId } from "./wallet.ts";

/** An entry to post. Usage is never posted, because the gateway sums it by key and day. */
export interface EntryDraft
  extends Pick<LedgerEntry, "atMs" | "accountId" | "reason" | "actor" | "reference"> {
  readonly type: PostedType;
  /** The change to the wallet in nano-dollars; positive for incoming money. */
  readonly changeNanoUsd: bigint;
  /** The entry is posted once per key, however often it is tried. 1 to 200 characters. */
  readonly idempotencyKey: string;
}

interface AddedEntry {
  readonly entry: PostedEntry;
  /** True if the entry was already in the ledger, under the same key. */
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

/** `freeNanoUsd` is the part of the balance that is not reserved for calls. */
export interface Insufficient {
  readonly type: "insufficient";
  readonly balanceNanoUsd: bigint;
  readonly freeNanoUsd: bigint;
}

/** Options of posting an entry. */
export interface PostOptions {
  /** Allows a balance below 0, for events elsewhere that are only recorded here. */
  readonly overdraw?: boolean;
  /** Written in the same commit, unless the entry was already there. */
  readonly audit?: AuditDraft;
}

const keyLengthMax = 200;

/** Posts one entry, exactly once, even if it is tried repeatedly or concurrently. */
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
 * Adds entries of one account, and the change of its wallet, to a commit. The commit checks the
 * wallet and each entry's key; if it fails, begin again with a new operation. Throws
 * `already_exists` if a key was used for another entry. Uses two of a commit's ten checks, and one
 * per entry.
 */
export async function addEntries(
  store: Store,
  operation: AtomicOperation,
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
  const [wallet, spent, allowance, ...posted] = await readInBatches(store.kv, [
    keys.wallet(accountId),
    keys.allowanceSpent(walletId(accountId)),
    keys.allowance(walletId(accountId)),
    ...drafts.map(({ idempotencyKey }) => keys.ledgerPosted(idempotencyKey)),
  ]);
  return { wallet, spent, allowance, posted };
}

/**
 * Rejects impossible drafts. Functions of `funds` refuse user errors earlier, with messages of
 * their own.
 */
function assertPossible(draft: EntryDraft, accountId: string): void {
  const { type, changeNanoUsd, idempotencyKey } = draft;
  const { into, outOf } = entryRules[type];
  const possible = draft.accountId === accountId && idempotencyKey !== "" &&
    idempotencyKey.length <= keyLengthMax &&
    (changeNanoUsd > 0n ? into : changeNanoUsd < 0n && outOf);
  if (!possible) throw new RangeError(`Cannot post ${type}: its amount, account or key is wrong`);
}

/** Leased money counts as unavailable, because calls in flight may spend it. */
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

/**
 * Returns the entries of drafts: existing ones unchanged, and new ones after all entries of the
 * wallet.
 */
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
  const { accountId, entryId } = value as PostedReference; // only putEntry writes it
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
