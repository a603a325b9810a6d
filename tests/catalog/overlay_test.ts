import { assert, assertEquals } from "@std/assert";
import { catalogModel } from "../../lib/catalog/mod.ts";
import overlay from "../../tools/prices/overlay.json" with { type: "json" };

interface Corrected {
  readonly id: string;
  readonly price?: unknown;
  readonly set?: Readonly<Record<string, unknown>>;
  readonly why?: string;
}

const vendors = overlay.vendors as readonly { readonly models: readonly Corrected[] }[];
const models = vendors.flatMap(({ models }) => models);

Deno.test("overlay: every correction has its reason, and is in the catalog", () => {
  for (const { id, price, set = {}, why } of models.filter(({ price, set }) => price || set)) {
    assert(why !== undefined && why.length > 10, id);
    const listed = catalogModel(id)?.price;
    if (price) assertEquals(listed, price, id);
    for (const [field, value] of Object.entries(price ? {} : set)) {
      const stated: Readonly<Record<string, unknown>> = { ...listed };
      assertEquals(stated[field] ?? null, value, `${id}: ${field}`);
    }
  }
});
