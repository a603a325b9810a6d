import { assertEquals } from "@std/assert";
import { startGateway } from "./gateway.ts";

const value = "sk-listed-0123456789abcdef";
const keys = [{ name: "listed", value, group: "default", ipAllowList: ["198.51.100.0/24"] }];

async function statusFrom(forwardedFor: string, trustedProxies: readonly string[]) {
  await using gateway = await startGateway({ keys, trustedProxies });
  const response = await fetch(`${gateway.base}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${value}`, "x-forwarded-for": forwardedFor },
    body: JSON.stringify({ model: "tessera-echo", messages: [{ role: "user", content: "hi" }] }),
  });
  await response.body?.cancel();
  return response.status;
}

Deno.test("a key's addresses are those behind a trusted proxy", async () => {
  assertEquals(await statusFrom("198.51.100.9", ["127.0.0.1"]), 200);
  assertEquals(await statusFrom("198.51.100.9, 192.0.2.1", ["127.0.0.1"]), 403);
});

Deno.test("a key's addresses cannot be claimed without a trusted proxy", async () => {
  assertEquals(await statusFrom("198.51.100.9", []), 403);
  assertEquals(await statusFrom("198.51.100.9", ["10.0.0.0/8"]), 403);
});
