import { assertEquals } from "@std/assert";
import { listRequestLogs } from "../../lib/store/mod.ts";
import { startGateway } from "./gateway.ts";

const secret = "sk-refused-0123456789abcdefghi";

Deno.test("a call that a limit refused: its row says which limit, and the tag it bore", async () => {
  const limits = { tokensPerMinute: 1 };
  await using gateway = await startGateway({ keys: [{ name: "ci", value: secret, limits }] });
  const response = await fetch(`${gateway.base}/v1/chat/completions`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${secret}`,
      "content-type": "application/json",
      "tessera-tag": "nightly",
    },
    body: JSON.stringify({ model: "tessera-echo", messages: [{ role: "user", content: "hi" }] }),
  });
  await response.body?.cancel();
  assertEquals(response.status, 429);
  const { rows } = await listRequestLogs(gateway.parts.store, { tag: "nightly", limit: 10 });
  const [{ refusedBy, status }] = rows;
  assertEquals([rows.length, status], [1, 429]);
  assertEquals(
    [refusedBy?.name, refusedBy?.kind, refusedBy?.limit, refusedBy?.remaining],
    ["key tokens per minute", "tokens", 1n, 1n],
  );
});
