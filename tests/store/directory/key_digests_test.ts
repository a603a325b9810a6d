import { assertEquals } from "@std/assert";
import { KeyDigests } from "../../../lib/store/directory/key_cache.ts";
import { digestOf } from "../../../lib/store/mod.ts";

Deno.test("every secret has its own digest, however many were presented before", () => {
  const digests = new KeyDigests();
  const secrets = Array.from({ length: 5_000 }, (_, n) => `sk-${n}-0123456789abcdefghij`);
  for (const secret of [...secrets, ...secrets.toReversed(), "", "é", "x".repeat(100_000)]) {
    assertEquals(digests.of(secret), digestOf(secret));
    assertEquals(digests.of(secret), digestOf(secret)); // from memory
  }
});
