/** Well-known models: names, limits, list prices, and the names that a gateway offers. Pure, looked up by name. */
export {
  capabilities,
  capabilitiesOf,
  type Capability,
  type Purpose,
  purposeOf,
} from "./capability.ts";
export { defaultModel, namesForGroup, type NameSources, offeredNames } from "./offered.ts";
export { type CatalogModel, catalogModel, catalogModels } from "./well_known.ts";
