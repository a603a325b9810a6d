import type { Origin } from "../store/mod.ts";
import { type UpstreamState, upstreamStates } from "./upstream_state.ts";
import { type UpstreamPeriod, upstreamPeriods } from "./upstream_usage.ts";

const columns = ["name", "order", "running", "success", "firstByte"] as const;
/** By what the list is ordered. */
export type UpstreamColumn = typeof columns[number];

/** What the address of the list says: which upstreams, in which order, and over what time. */
export interface UpstreamQuery {
  /** Part of a name, a preset, a model or an address. */
  readonly text: string;
  readonly state?: UpstreamState;
  /** Only those that serve it. */
  readonly group?: string;
  readonly origin?: Origin;
  readonly column: UpstreamColumn;
  readonly descending: boolean;
  readonly period: UpstreamPeriod;
  /** From 1 on. */
  readonly page: number;
}

const defaultSort = "-order";
const defaultPeriod = "24h";

/** Reads `?q=&state=&serves=&from=&sort=&period=&page=`; what it does not know is as if it were not there. */
export function readUpstreamQuery(fields: URLSearchParams): UpstreamQuery {
  const sort = fields.get("sort") ?? defaultSort;
  const column = columns.find((one) => one === sort.replace(/^-/, ""));
  const periods = Object.keys(upstreamPeriods) as UpstreamPeriod[]; // its own keys
  const state = upstreamStates.find((one) => one === fields.get("state"));
  const origin = (["console", "config"] as const).find((one) => one === fields.get("from"));
  const group = (fields.get("serves") ?? "").trim().slice(0, 100);
  return {
    text: (fields.get("q") ?? "").trim().slice(0, 100),
    ...(state && { state }),
    ...(group !== "" && { group }),
    ...(origin && { origin }),
    column: column ?? "order",
    descending: column === undefined || sort.startsWith("-"),
    period: periods.find((one) => one === fields.get("period")) ?? defaultPeriod,
    page: Number(/^[1-9]\d{0,5}$/.exec(fields.get("page") ?? "")?.[0] ?? 1),
  };
}

/** The address of the list for a query, without what is so anyway. */
export function upstreamsPath(query: UpstreamQuery): string {
  const { text, state, group, origin, column, descending, period, page } = query;
  const sort = `${descending ? "-" : ""}${column}`;
  const fields = new URLSearchParams();
  if (text !== "") fields.set("q", text);
  if (state) fields.set("state", state);
  if (group !== undefined) fields.set("serves", group);
  if (origin) fields.set("from", origin);
  if (sort !== defaultSort) fields.set("sort", sort);
  if (period !== defaultPeriod) fields.set("period", period);
  if (page > 1) fields.set("page", String(page));
  return fields.size === 0 ? "/console/admin/upstreams" : `/console/admin/upstreams?${fields}`;
}

/** The query that a click on a column's head asks for: that column, or its other direction. */
export function upstreamsSortedBy(query: UpstreamQuery, column: UpstreamColumn): UpstreamQuery {
  const descending = query.column === column ? !query.descending : column !== "name";
  return { ...query, column, descending, page: 1 };
}
