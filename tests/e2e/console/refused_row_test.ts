import { assertEquals } from "@std/assert";
import { listRequestLogs } from "../../../lib/store/log/mod.ts";
import { startGateway } from "../gateway.ts";

const secret = "sk-refused-0123456789abcdefghi";

Deno.test("a call that a limit refused: its row says which limit, and the tag it bore", async () => {
  const limits = { tokensPerMinute: 1 };
  await using gateway = await startGateway({ keys: [{ name: "ci", value: secret, limits }] });
  const call = async (headers: HeadersInit) => {
    const response = await fetch(`${gateway.base}/v1/chat/completions`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${secret}`,
        "content-type": "application/json",
        ...headers,
      },
      body: JSON.stringify({ model: "tessera-echo", messages: [{ role: "user", content: "hi" }] }),
    });
    await response.body?.cancel();
    return response.status;
  };
  assertEquals(await call({}), 200); // with the last token of its minute, and with those that follow
  assertEquals(await call({ "tessera-tag": "nightly" }), 429);
  const { rows } = await listRequestLogs(gateway.parts.store, { tag: "nightly", limit: 10 });
  const [{ refusedBy, status }] = rows;
  assertEquals([rows.length, status], [1, 429]);
  assertEquals(
    [refusedBy?.name, refusedBy?.kind, refusedBy?.limit, refusedBy?.remaining],
    ["key tokens per minute", "tokens", 1n, 0n],
  );
});
