import { may } from "../../../lib/accounts/mod.ts";
import { readLog } from "../../../lib/archive/mod.ts";
import { searchOf } from "../../../lib/console/calls/log_page.ts";
import { filterOf } from "../../../lib/console/calls/log_search.ts";
import { datedName, download, fileTypes } from "../../../lib/console/page/download.ts";
import { defineForAccount } from "../../../lib/console/session/state.ts";
import { type ExportFormat, exportRequestLogs } from "../../../lib/ledger/mod.ts";
import { listUsers } from "../../../lib/store/users/mod.ts";

/**
 * Exports all calls of the account that match the URL's filters, archived ones included. `?as=` is `csv`, `jsonl`, or
 * `spend` for sums by key, model and day; `?who=` chooses between own and everyone's calls, for
 * administrators.
 */
export const handler = defineForAccount.handlers({
  async GET({ url: { searchParams }, state }) {
    const { services: { store, archive: place }, account: { user }, nowMs } = state;
    const format = formatOf(searchParams.get("as") ?? searchParams.get("format"));
    const filter = filterOf(await searchOf(searchParams, state), user.id);
    const users = filter.accountId === user.id ? [user] : await listUsers(store);
    const emails = new Map(users.map(({ id, email }) => [id, email]));
    const name = datedName(format === "spend" ? "spend" : "calls", nowMs);
    const type = format === "jsonl" ? fileTypes.jsonl : fileTypes.csv;
    const calls = readLog({ store, place }, filter);
    const isOperator = may(user, "calls:read");
    return download(name, exportRequestLogs(calls, format, { emails, isOperator }), type);
  },
});

function formatOf(text: string | null): ExportFormat {
  return text === "jsonl" || text === "spend" ? text : "csv";
}
