import type { Origin } from "../../store/mod.ts";
import {
  listPath,
  pageField,
  readPageNumber,
  readSort,
  readText,
  type Sort,
  sortField,
} from "../page/list_query.ts";
import { type UpstreamState, upstreamStates } from "./upstream_state.ts";
import { type UpstreamPeriod, upstreamPeriods } from "./upstream_usage.ts";

const columns = ["name", "order", "running", "success", "firstByte"] as const;
/** By what the list is ordered. */
export type UpstreamColumn = typeof columns[number];

/** What the address of the list says: which upstreams, in which order, and over what time. */
export interface UpstreamQuery extends Sort<UpstreamColumn> {
  /** Part of a name, a preset, a model or an address. */
  readonly text: string;
  readonly state?: UpstreamState;
  /** Only those that serve it. */
  readonly group?: string;
  readonly origin?: Origin;
  readonly period: UpstreamPeriod;
  /** From 1 on. */
  readonly page: number;
}

const usualSort: Sort<UpstreamColumn> = { column: "order", descending: true };
const usualPeriod = "24h";

/** Reads `?q=&state=&serves=&from=&sort=&period=&page=`; what it does not know is as if it were not there. */
export function readUpstreamQuery(fields: URLSearchParams): UpstreamQuery {
  const periods = Object.keys(upstreamPeriods) as UpstreamPeriod[]; // its own keys
  const state = upstreamStates.find((one) => one === fields.get("state"));
  const origin = (["console", "config"] as const).find((one) => one === fields.get("from"));
  const group = readText(fields, "serves");
  return {
    text: readText(fields, "q"),
    ...(state && { state }),
    ...(group && { group }),
    ...(origin && { origin }),
    ...readSort(fields, columns, usualSort),
    period: periods.find((one) => one === fields.get("period")) ?? usualPeriod,
    page: readPageNumber(fields),
  };
}

/** The address of the list for a query, without what is so anyway. */
export function upstreamsPath(query: UpstreamQuery): string {
  const { text, state, group, origin, period, page } = query;
  return listPath("/console/admin/upstreams", {
    q: text,
    state,
    serves: group,
    from: origin,
    sort: sortField(query, usualSort),
    period: period === usualPeriod ? undefined : period,
    page: pageField(page),
  });
}
