import { z } from "zod";
import { changeFunds, type FundsOrder, readLedgerEntryId } from "../admin/funds.ts";
import { type FundsResult, reasonLengthMax } from "../funds/mod.ts";
import {
  changeOf,
  entryTypes,
  getBalance,
  getHeld,
  type LedgerEntry,
  listEntries,
  walletId,
  walletSources,
} from "../store/money/mod.ts";
import { getUser, listUsers, type User } from "../store/users/mod.ts";
import { invalidField, ManagementError, notFound } from "./http/error.ts";
import { type ManagementCall, operation } from "./http/operation.ts";
import {
  creationOrder,
  listSchema,
  pageQuery,
  pageReply,
  readCursor,
  storedPageReply,
} from "./http/page.ts";
import {
  moneyAnswer,
  moneyInput,
  moneyText,
  namedObject,
  timeAnswer,
  timeText,
} from "./http/schema.ts";

const balance = {
  user_id: z.string(),
  email: z.string(),
  spending: z.enum(["prepaid", "unlimited"]),
  balance: moneyAnswer.describe("Funds minus spending"),
  funded: moneyAnswer,
  spent: moneyAnswer,
};
const wallet = namedObject("Wallet", balance);
const wholeWallet = namedObject("WalletDetails", {
  ...balance,
  held: moneyAnswer.describe("Set aside for calls that run"),
  sources: z.record(z.string(), moneyAnswer).describe("The net funds by type of entry"),
});

const postedEntry = {
  id: z.string(),
  at: timeAnswer,
  type: z.enum(entryTypes),
  amount: moneyAnswer.describe("Positive for credits, negative for debits"),
  reason: z.string(),
  actor: z.string().describe("A user's ID, `stripe`, or `gateway` for usage"),
  reference: z.string().nullable().describe("A payment, a batch of codes, or a key"),
};
const entry = namedObject("LedgerEntry", postedEntry);
const listedEntry = namedObject("ListedLedgerEntry", {
  ...postedEntry,
  balance: moneyAnswer.describe("After the entry"),
});

const reason = z.string().max(reasonLengthMax).describe("Stays in the ledger; not blank");
const grant = z.strictObject({ amount: moneyInput, reason });
const adjustment = z.strictObject({
  amount: moneyInput,
  direction: z.enum(["add", "take"]),
  reason,
});

/** Reads wallets and their ledgers, and gives and takes funds. */
export const walletOperations = [
  operation("GET /wallets", {
    summary: "List the wallets of all accounts, newest account first",
    scope: "wallets:read",
    query: pageQuery,
    answer: listSchema(wallet),
  }, async (call) => {
    const users = await listUsers(call.state.services.store);
    return await pageReply(users, creationOrder, call, (user) => walletJson(user, call));
  }),
  operation("GET /wallets/{user_id}", {
    summary: "Read the wallet of a user",
    scope: "wallets:read",
    answer: wholeWallet,
  }, async (call) => {
    const user = await userAt(call);
    const { store } = call.state.services;
    const [held, sources] = await Promise.all([
      user.spending === "unlimited" ? 0n : getHeld(store, walletId(user.id)),
      walletSources(store, user.id),
    ]);
    const named = Object.entries(sources).map(([type, amount]) => [type, moneyText(amount)]);
    const body = {
      ...await walletJson(user, call),
      held: moneyText(held),
      sources: Object.fromEntries(named),
    };
    return { body, record: body };
  }),
  operation("GET /wallets/{user_id}/entries", {
    summary:
      "List the ledger of a wallet, newest first; usage has an entry for each key and UTC day",
    scope: "wallets:read",
    query: pageQuery.extend({ type: z.enum(entryTypes).optional() }),
    answer: listSchema(listedEntry),
  }, async (call) => {
    const { limit, type } = call.query;
    const { id } = await userAt(call);
    const before = readLedgerEntryId(await readCursor(call) ?? null);
    const { entries, next } = await listEntries(call.state.services.store, id, {
      before,
      type,
      limit,
    });
    const data = entries.map((one) => ({
      ...entryJson(one),
      balance: moneyText(one.balanceNanoUsd),
    }));
    return await storedPageReply(data, next, call);
  }),
  operation("POST /wallets/{user_id}/grants", {
    summary: "Credit a wallet",
    scope: "wallets:write",
    body: grant,
    answer: entry,
    status: 201,
  }, async (call) => {
    const { amount: nanoUsd, reason } = call.body;
    return await post(call, { kind: "grant", nanoUsd, reason });
  }),
  operation("POST /wallets/{user_id}/adjustments", {
    summary: "Correct a balance; a debit cannot exceed the balance less what running calls hold",
    scope: "wallets:write",
    body: adjustment,
    answer: entry,
    status: 201,
    errors: ["insufficient_quota"],
  }, async (call) => {
    const { amount: nanoUsd, direction: kind, reason } = call.body;
    return await post(call, { kind, nanoUsd, reason });
  }),
];

async function post(call: ManagementCall, order: Omit<FundsOrder, "intent">) {
  const user = await userAt(call);
  return {
    body: entryJson(postedIn(await changeFunds(user, { ...order, intent: call.id }, call))),
  };
}

function postedIn(result: FundsResult): LedgerEntry {
  switch (result.type) {
    case "posted":
    case "repeated":
      return result.entry;
    case "invalid":
      throw invalidField(result.field, result.message);
    case "insufficient":
      throw new ManagementError("insufficient_quota", result.message, { param: "amount" });
    case "forbidden":
      throw new ManagementError("scope_missing", result.message);
    default:
      return result satisfies never;
  }
}

async function userAt({ params: { user_id: id }, state }: ManagementCall): Promise<User> {
  const user = await getUser(state.services.store, id);
  if (user) return user;
  throw notFound("user", id);
}

async function walletJson(
  { id, email, spending }: User,
  { state }: Pick<ManagementCall, "state">,
): Promise<z.output<typeof wallet>> {
  const { balanceNanoUsd, fundedNanoUsd, spentNanoUsd } = await getBalance(
    state.services.store,
    id,
  );
  return {
    user_id: id,
    email,
    spending,
    balance: moneyText(balanceNanoUsd),
    funded: moneyText(fundedNanoUsd),
    spent: moneyText(spentNanoUsd),
  };
}

function entryJson(one: LedgerEntry): z.output<typeof entry> {
  const { id, atMs, type, reason, actor, reference = null } = one;
  return {
    id,
    at: timeText(atMs),
    type,
    amount: moneyText(changeOf(one)),
    reason,
    actor,
    reference,
  };
}
