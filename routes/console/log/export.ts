import { HttpError } from "fresh";
import { may } from "../../../lib/accounts/mod.ts";
import { readLogFilter } from "../../../lib/console/log_filter.ts";
import { defineForAccount } from "../../../lib/console/state.ts";
import { type ExportFormat, exportRequestLogs } from "../../../lib/ledger/mod.ts";

const contentTypes = {
  csv: "text/csv; charset=utf-8; header=present",
  jsonl: "application/x-ndjson",
} as const satisfies Record<ExportFormat, string>;

/**
 * The calls of the account as a file, all that the address means as on the page. `?format=` says
 * `csv` or `jsonl`; `?scope=all` means those of all accounts, for who may see them.
 */
export const handler = defineForAccount.handlers({
  GET({ url: { searchParams }, state: { services: { store }, account: { user }, nowMs } }) {
    const format = searchParams.get("format") === "jsonl" ? "jsonl" : "csv";
    const all = searchParams.get("scope") === "all";
    if (all && !may(user, "see-all-accounts")) throw new HttpError(403);
    const filter = { ...readLogFilter(searchParams), ...(!all && { accountId: user.id }) };
    const text = ReadableStream.from(exportRequestLogs(store, filter, format));
    const day = new Date(nowMs).toISOString().slice(0, 10);
    return new Response(text.pipeThrough(new TextEncoderStream()), {
      headers: {
        "content-type": contentTypes[format],
        "content-disposition": `attachment; filename="calls-${day}.${format}"`,
        "cache-control": "no-store",
      },
    });
  },
});
