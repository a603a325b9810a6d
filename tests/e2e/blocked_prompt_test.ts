import { assertEquals } from "@std/assert";
import { formatNames } from "../../lib/canonical/mod.ts";
import { onlyRow, post, streaming, withUpstream } from "./interruptions/interrupted_call.ts";

const blocked = {
  promptFeedback: { blockReason: "PROHIBITED_CONTENT" },
  usageMetadata: { promptTokenCount: 9, totalTokenCount: 9 },
  modelVersion: "m",
};
const { usageMetadata: _, ...unstated } = blocked;

for (const to of formatNames) {
  for (const stream of [true, false]) {
    for (const answer of [blocked, unstated]) {
      const stated = answer === blocked;
      const name = `a blocked prompt, ${stream ? "streamed" : "whole"}, ${
        stated ? "with" : "without"
      } usage`;
      Deno.test(`${name}, for a caller of ${to}: no success, and only what the upstream states is charged`, () =>
        withUpstream(
          "generate-content",
          () =>
            stream
              ? streaming([`data: ${JSON.stringify(answer)}\n\n`], true)
              : Response.json(answer),
          async (gateway) => {
            const response = await post(gateway, to, stream);
            assertEquals(response.status, 200);
            await response.arrayBuffer();
            const row = await onlyRow(gateway);
            assertEquals([row.outcome, row.errorCode], ["refused", "content_blocked"]);
            assertEquals(row.usageSource, stated ? "upstream" : "none");
            assertEquals(row.usage?.inputTokens, stated ? 9 : undefined);
            assertEquals(row.usage?.outputTokens, stated ? 0 : undefined);
          },
        ));
    }
  }
}
