import { assert, assertEquals } from "@std/assert";
import { isJsonObject } from "../../../lib/canonical/mod.ts";
import { brokenBody } from "../conversion/broken_body.ts";
import { startGateway, testKey } from "../gateway.ts";
import { onlyRow } from "../interruptions/interrupted_call.ts";
import { startFaultUpstream } from "./fault_upstream.ts";
import { faults } from "./faults.ts";

/** Streams as a JSON array, which the generate-content format gives to callers who ask for no events. */

for (const fault of faults.filter(({ streamed }) => streamed.type === "breaks")) {
  for (const spoken of ["generate-content", "chat-completions"] as const) {
    Deno.test(`a JSON array, ${fault.name}, ${spoken}: its last item is the error, the connection breaks off behind it, and nothing says it was complete`, async () => {
      await using upstream = startFaultUpstream([fault]);
      await using gateway = await startGateway({
        upstreams: [{
          id: "faulty",
          endpoints: { [spoken]: upstream.base(fault.name, spoken) },
          models: ["m"],
          ...(fault.timeouts && { timeouts: fault.timeouts }),
        }],
      });
      const response = await fetch(`${gateway.base}/v1beta/models/m:streamGenerateContent`, {
        method: "POST",
        headers: { "x-goog-api-key": testKey, "content-type": "application/json" },
        body: JSON.stringify({ contents: [{ role: "user", parts: [{ text: "Tell me" }] }] }),
      });
      const { text: body, isBroken } = await brokenBody(response);
      assert(isBroken, "the connection is closed as behind a whole answer");
      const items: unknown = JSON.parse(body);
      assert(Array.isArray(items) && items.length > 1);
      const last = items.at(-1);
      assert(isJsonObject(last) && isJsonObject(last.error));
      assert(!body.includes('"finishReason":"'));
      const { streamed } = fault;
      const row = await onlyRow(gateway);
      assertEquals(row.errorCode, streamed.type === "breaks" ? streamed.code : undefined);
    });
  }
}
