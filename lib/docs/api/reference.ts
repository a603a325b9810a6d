import type { DescribedOperation, Description, Paths } from "./description.ts";

export const apiParts = ["gateway", "management", "events"] as const;

/** The operations of one tag, which have a page of their own. */
export interface ApiGroup {
  /** The last part of its address. */
  readonly slug: string;
  readonly title: string;
  readonly part: typeof apiParts[number];
  /** Markdown. */
  readonly text: string;
  readonly operations: readonly ReferenceOperation[];
}

export interface ReferenceOperation {
  /** The anchor within its page. */
  readonly id: string;
  /** Empty for an event. */
  readonly method: string;
  /** The type of an event. */
  readonly path: string;
  /** Further addresses of the same operation. */
  readonly aliases: readonly string[];
  readonly described: DescribedOperation;
}

/** The groups of an OpenAPI document, in its order; at the end, the events that webhooks receive. */
export function apiGroupsOf({ tags, paths, webhooks }: Description): ApiGroup[] {
  const operations = operationsOf(paths);
  const groups = tags.map(({ name, description: text }) => ({
    ...headOf(name),
    slug: name.replaceAll(" ", "-"),
    text,
    operations: operations.filter(({ described }) => described.tags?.includes(name)),
  }));
  const text = "Sent to webhooks, signed as Standard Webhooks describes";
  const events = operationsOf(webhooks).map((event) => ({ ...event, method: "" }));
  return [
    ...groups,
    { slug: "events", title: "Events", part: "events", text, operations: events },
  ];
}

/** The tag `management keys` is the group "Keys" of the management API. */
function headOf(tag: string): Pick<ApiGroup, "title" | "part"> {
  const [first, resource = "resources"] = tag.split(" ");
  return first === "management"
    ? { part: "management", title: titled(resource) }
    : { part: "gateway", title: titled(tag.replaceAll("-", " ")) };
}

function titled(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** One operation for all addresses at which it is the same; `HEAD` only without `GET`. */
function operationsOf(paths: Paths): ReferenceOperation[] {
  const same = Map.groupBy(
    rowsOf(paths),
    ({ method, described: { operationId: _, ...rest } }) => JSON.stringify([method, rest]),
  );
  return [...same.values()].map(([{ method, path, described }, ...others]) => ({
    ...{ path, described },
    id: `${method} ${path}`.replaceAll(/\W+/g, "-").replaceAll(/-$/g, ""),
    method: method.toUpperCase(),
    aliases: others.map(({ path }) => path),
  }));
}

function rowsOf(paths: Paths) {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([method]) => method !== "head" || methods.get === undefined)
      .map(([method, described]) => ({ path, method, described }))
  );
}
