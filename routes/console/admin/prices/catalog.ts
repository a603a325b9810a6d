import { movedPrices } from "../../../../lib/console/models/former_prices.ts";

export const handler = movedPrices("catalog");
