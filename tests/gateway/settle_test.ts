import { assertEquals } from "@std/assert";
import { settleRow } from "../../lib/gateway/settle.ts";
import { listRequestLogs } from "../../lib/store/log/mod.ts";
import { startGateway } from "../e2e/gateway.ts";
import { sampleRow } from "../store/samples.ts";

Deno.test("a call that cannot be observed is recorded, answered and reported", async () => {
  await using gateway = await startGateway();
  const { store, gateway: deps } = gateway.parts;
  const reported: string[] = [];
  const failing = {
    ...deps,
    observe: () => {
      throw new TypeError("an odd answer");
    },
    report: ({ code }: { readonly code: string }, id: string) => void reported.push(code, id),
  };
  const row = sampleRow(1, { id: "req_1" });
  assertEquals((await settleRow(row, failing, {}))?.id, "req_1");
  assertEquals(reported, ["internal_error", "req_1"]);
  assertEquals((await listRequestLogs(store, { limit: 10 })).rows.map(({ id }) => id), ["req_1"]);
});
