/** The feed of prices: fetched on request or daily, compared with the catalog, and never applied. */
export { PriceFeedError, PriceRefresh } from "./refresh.ts";
