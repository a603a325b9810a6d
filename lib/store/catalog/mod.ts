/** Upstreams, models, prices, groups and settings. */
export {
  allowsUnpriced,
  createGroup,
  defaultGroupId,
  deleteGroup,
  getGroup,
  type Group,
  listGroups,
  updateGroup,
} from "./group.ts";
export {
  addMissingModels,
  addModel,
  createModel,
  deleteModel,
  getModel,
  listModels,
  type Model,
  updateModel,
  updateModels,
} from "./model.ts";
export {
  type DatedModelPrice,
  isDated,
  type ModelPrice,
  type ModelPrices,
  priceInForce,
  type PriceTier,
  type ServiceTierPrice,
  type TokenRates,
} from "./model_price.ts";
export {
  defaultSettings,
  readSettings,
  type Settings,
  signUps,
  updateSettings,
} from "./settings.ts";
export {
  createUpstream,
  deleteUpstream,
  getUpstream,
  listUpstreams,
  servesGroup,
  updateUpstream,
  type UpstreamAuth,
  type UpstreamModel,
  upstreamNameOf,
  type UpstreamRecord,
} from "./upstream.ts";
export {
  endListTurn,
  hasListed,
  keepUpstreamList,
  listSource,
  takeListTurn,
  type UpstreamList,
} from "./upstream_list.ts";
