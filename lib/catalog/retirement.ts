import { feedChangeOf, type PriceFeed } from "../store/catalog/mod.ts";
import { catalogModel } from "./well_known.ts";

/** The announced end of a model. */
export interface Retirement {
  /** The day on which the vendor shuts it down, such as `2027-01-14`. */
  readonly date: string;
  /** The model that the vendor recommends instead. */
  readonly successor?: string;
}

/** The announced end of the model with this name, by the last refresh, else by the catalog. */
export function retirementOf(name: string, feed: PriceFeed | undefined): Retirement | undefined {
  const fed = feedChangeOf(feed, name);
  const { retires, successor } = fed?.retires === undefined ? catalogModel(name) ?? {} : fed;
  return retires ? { date: retires, ...(successor !== undefined && { successor }) } : undefined;
}
