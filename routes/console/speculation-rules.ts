import { speculationRules } from "../../lib/console/page/speculation.ts";
import { defineForAccount } from "../../lib/console/session/state.ts";

/** The links that browsers load ahead of a click. The same for all accounts. */
export const handler = defineForAccount.handlers({
  GET() {
    return new Response(JSON.stringify(speculationRules), {
      headers: {
        "content-type": "application/speculationrules+json",
        "cache-control": "private, max-age=86400",
      },
    });
  },
});
