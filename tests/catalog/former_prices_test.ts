import { assertEquals } from "@std/assert";
import { catalogModel } from "../../lib/catalog/mod.ts";
import { resolvePrice } from "../../lib/ledger/mod.ts";
import { type ModelPrices, priceInForce } from "../../lib/store/catalog/mod.ts";
import former from "./former_prices.json" with { type: "json" };

/**
 * The catalog that was typed by hand until 2026-11-30. Tiers that it lacked and regions of clouds are
 * added, and no other price may differ: the list of differences is in docs/decisions/0064-price-feed.md.
 */
const added: Readonly<Record<string, readonly string[]>> = {
  "gemini-3-flash-preview": ["flex", "fast"],
  "gemini-3-pro-image": ["flex", "fast"],
};
const times = ["2026-11-30T12:00:00Z", "2026-12-01T00:00:00Z", "2027-01-01T00:00:00Z"];

for (const [id, prices] of Object.entries(former as Record<string, ModelPrices>)) {
  Deno.test(`catalog: ${id} has its former price, apart from the listed additions`, () => {
    for (const time of times) {
      const [was, is] = [prices, catalogModel(id)?.price ?? []].map((one) => {
        const price = priceInForce(one, Date.parse(time));
        return price && resolvePrice(price);
      });
      const more = new Map(
        [...is?.serviceTiers ?? []].filter(([tier]) => added[id]?.includes(tier)),
      );
      const serviceTiers = new Map([...was?.serviceTiers ?? [], ...more]);
      const { offPeak: _, ...atPeak } = is ?? {}; // the former catalog had peak hours only
      const regions = new Map([...is?.regions ?? []].filter(([name]) => name !== "regional"));
      assertEquals({ ...atPeak, regions }, { ...was, serviceTiers }, time);
    }
  });
}
