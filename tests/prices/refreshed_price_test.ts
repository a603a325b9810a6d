import { assertEquals } from "@std/assert";
import { refreshedPrice } from "../../lib/prices/feed_changes.ts";
import type { ModelPrice } from "../../lib/store/catalog/mod.ts";

Deno.test("refreshedPrice keeps our corrections, and takes what the feed changed", () => {
  const ours: ModelPrice = { input: 0.7, output: 2.1, hostedTools: { "web-search": 10 } };
  const former: ModelPrice = { input: 1.36, output: 4.18 };
  const fresh = (fields: Partial<ModelPrice>) => ({ former, fresh: { ...former, ...fields } });
  assertEquals(refreshedPrice(ours, fresh({})), ours);
  assertEquals(refreshedPrice(ours, fresh({ input: 0.6 })), { ...ours, input: 0.6 });
  assertEquals(refreshedPrice(ours, fresh({ cachedInput: 0.1 })), { ...ours, cachedInput: 0.1 });
});
