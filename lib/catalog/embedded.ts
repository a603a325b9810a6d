import type { VendorCatalog } from "./vendor.ts";

/** The model inside the gateway, free of charge. */
export const embedded: VendorCatalog = {
  ownedBy: "tessera",
  prefixes: ["tessera"],
  asOf: "2026-11-21",
  models: [{
    id: "tessera-echo",
    displayName: "Tessera Echo",
    contextWindow: 1_000_000,
    price: { input: 0, output: 0 },
  }],
};
