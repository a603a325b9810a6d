import { readEntryType } from "../../../lib/console/balance.ts";
import { exportEntries } from "../../../lib/console/balance_export.ts";
import { defineForAccount } from "../../../lib/console/state.ts";

/** All entries of the account that the address means as on the page, as CSV. */
export const handler = defineForAccount.handlers({
  GET({ url: { searchParams }, state: { services: { store }, account: { user }, nowMs } }) {
    const type = readEntryType(searchParams.get("kind"));
    const text = ReadableStream.from(exportEntries(store, user.id, type));
    const day = new Date(nowMs).toISOString().slice(0, 10);
    return new Response(text.pipeThrough(new TextEncoderStream()), {
      headers: {
        "content-type": "text/csv; charset=utf-8; header=present",
        "content-disposition": `attachment; filename="balance-${day}.csv"`,
        "cache-control": "no-store",
      },
    });
  },
});
