import { loadConfig } from "../lib/config.ts";
import { createBatch, grantFunds, readUsd } from "../lib/funds/mod.ts";
import { openStore, type Store } from "../lib/store/mod.ts";
import { firstAccountId, getUser, getUserByEmail, type User } from "../lib/store/users/mod.ts";
import { readTaskArguments, stopFor } from "./task.ts";

/** The lines that a task prints, and its result. */
interface TaskResult {
  readonly ok: boolean;
  readonly lines: readonly string[];
}

/**
 * `deno task grant EMAIL USD REASON` gives an account funds; `deno task codes USD COUNT [USES]`
 * makes redemption codes and prints them, which is the only time that they are shown. Both act as
 * the first administrator, on the store of a stopped server or on one that processes share.
 */
export async function addFunds(
  store: Store,
  [task, ...args]: readonly string[],
  { nowMs, codesMax }: { readonly nowMs: number; readonly codesMax: number },
): Promise<TaskResult> {
  const administrator = await getUser(store, firstAccountId);
  if (!administrator) {
    return failed("No administrator yet. Open the setup link printed by 'deno task start'");
  }
  if (task === "grant") return await grant(store, administrator, args, nowMs);
  if (task === "codes") return await codes(store, administrator, args, { nowMs, codesMax });
  return failed(`Usage: ${usages.grant}, or ${usages.codes}`);
}

async function grant(
  store: Store,
  administrator: User,
  [email = "", usd = "", ...reason]: readonly string[],
  nowMs: number,
): Promise<TaskResult> {
  const user = await getUserByEmail(store, email.trim().toLowerCase());
  if (!user) return failed(`No account with the e-mail address ${email}`);
  const result = await grantFunds(store, {
    administrator,
    accountId: user.id,
    changeNanoUsd: readUsd(usd) ?? 0n,
    reason: reason.join(" "),
    idempotencyKey: crypto.randomUUID(),
  }, nowMs);
  if (!("entry" in result)) return failed(result.message);
  return { ok: true, lines: [`Added $${usd} to the balance of ${user.email}`] };
}

async function codes(
  store: Store,
  administrator: User,
  [usd = "", count = "1", uses = "1"]: readonly string[],
  options: { readonly nowMs: number; readonly codesMax: number },
): Promise<TaskResult> {
  const result = await createBatch(store, administrator, {
    name: `Made by a task, $${usd}`,
    amountNanoUsd: readUsd(usd) ?? 0n,
    count: Number(count),
    usesMax: Number(uses),
  }, options);
  return result.type === "created" ? { ok: true, lines: result.codes } : failed(result.message);
}

function failed(line: string): TaskResult {
  return { ok: false, lines: [line] };
}

const usages = {
  grant: "deno task grant EMAIL USD REASON",
  codes: "deno task codes USD COUNT [USES]",
};

if (import.meta.main) {
  const isGrant = Deno.args[0] === "grant";
  readTaskArguments({
    usage: isGrant ? usages.grant : usages.codes,
    count: isGrant ? [4, Infinity] : [2, 4],
  });
  const { store: location, secret, limits, logRetentionMs } = loadConfig(Deno.env.toObject());
  const store = await openStore({ location, secret, logRetentionMs }).catch(stopFor);
  const options = { nowMs: Date.now(), codesMax: limits.redemptionCodesMax };
  const { ok, lines } = await addFunds(store, Deno.args, options);
  store.close();
  for (const line of lines) console[ok ? "log" : "error"](line);
  if (!ok) Deno.exit(1);
}
