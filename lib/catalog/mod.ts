/** Well-known models: names, limits, list prices, and the names that a gateway offers. Pure, looked up by name. */
export {
  capabilities,
  capabilitiesOf,
  type Capability,
  type Purpose,
  purposeOf,
} from "./capability.ts";
export { type FeedModel, readFeed } from "./feed.ts";
export { defaultModel, namesForGroup, type NameSources, offeredNames } from "./offered.ts";
export { type Retirement, retirementOf } from "./retirement.ts";
export {
  bareName,
  catalogFeed,
  type CatalogFile,
  type CatalogModel,
  catalogModel,
  catalogModels,
  type CatalogRow,
  keyOf,
  modelNamed,
} from "./well_known.ts";
