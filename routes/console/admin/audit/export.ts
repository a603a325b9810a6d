import { exportAuditEntries } from "../../../../lib/console/audit_export.ts";
import { readAuditSearch } from "../../../../lib/console/audit_query.ts";
import { defineForAccount } from "../../../../lib/console/state.ts";

/** All entries that the address means as on the page, as CSV. */
export const handler = defineForAccount.handlers({
  GET({ url: { searchParams }, state: { services: { store }, timeZone, nowMs } }) {
    const { filter } = readAuditSearch(searchParams, timeZone);
    const text = ReadableStream.from(exportAuditEntries(store, filter));
    const day = new Date(nowMs).toISOString().slice(0, 10);
    return new Response(text.pipeThrough(new TextEncoderStream()), {
      headers: {
        "content-type": "text/csv; charset=utf-8; header=present",
        "content-disposition": `attachment; filename="audit-${day}.csv"`,
        "cache-control": "no-store",
      },
    });
  },
});
