import { HttpError } from "fresh";
import { may } from "../../../lib/accounts/mod.ts";
import { searchOf } from "../../../lib/console/log_page.ts";
import { meantBy } from "../../../lib/console/log_search.ts";
import { defineForAccount } from "../../../lib/console/state.ts";
import { type ExportFormat, exportRequestLogs } from "../../../lib/ledger/mod.ts";

const csv = { type: "text/csv; charset=utf-8; header=present", ending: "csv", mark: "\ufeff" };
const files = {
  csv,
  jsonl: { type: "application/x-ndjson", ending: "jsonl", mark: "" },
  spend: csv,
} as const satisfies Record<ExportFormat, { type: string; ending: string; mark: string }>;

/**
 * The calls of the account as a file, all that the address means as on the page. `?as=` says `csv`,
 * `jsonl`, or `spend` for sums by key, model and day; `?scope=all` means those of all accounts, for
 * who may see them. A CSV begins with the mark by which spreadsheets know UTF-8.
 */
export const handler = defineForAccount.handlers({
  async GET({ url: { searchParams }, state }) {
    const { services: { store }, account: { user }, nowMs } = state;
    const format = formatOf(searchParams.get("as") ?? searchParams.get("format"));
    if (searchParams.get("scope") === "all" && !may(user, "see-all-accounts")) {
      throw new HttpError(403);
    }
    const filter = meantBy(await searchOf(searchParams, state), user.id);
    const { type, ending, mark } = files[format];
    const text = ReadableStream.from(marked(mark, exportRequestLogs(store, filter, format)));
    const day = new Date(nowMs).toISOString().slice(0, 10);
    const name = format === "spend" ? "spend" : "calls";
    return new Response(text.pipeThrough(new TextEncoderStream()), {
      headers: {
        "content-type": type,
        "content-disposition": `attachment; filename="${name}-${day}.${ending}"`,
        "cache-control": "no-store",
      },
    });
  },
});

function formatOf(text: string | null): ExportFormat {
  return text === "jsonl" || text === "spend" ? text : "csv";
}

async function* marked(mark: string, text: AsyncIterable<string>): AsyncGenerator<string> {
  if (mark !== "") yield mark;
  yield* text;
}
