/** Well-known models: names, limits, list prices, and the names that a gateway offers. Pure, looked up by name. */
export { capabilities, capabilitiesOf, type Capability } from "./capability.ts";
export { defaultModel } from "./default_model.ts";
export { namesForGroup, type NameSources, offeredNames } from "./offered.ts";
export { type Purpose, purposeOf } from "./purpose.ts";
export { type CatalogModel, catalogModel, catalogModels } from "./well_known.ts";
