import type { LogFilter } from "../store/mod.ts";

/** The fields of an address that say which calls are meant. */
const textFields = {
  key: "keyId",
  group: "groupId",
  model: "model",
  upstream: "upstreamId",
  status: "status",
} as const satisfies Record<string, keyof LogFilter>;
const timeFields = { from: "fromMs", to: "toMs" } as const satisfies Record<
  string,
  keyof LogFilter
>;

const textLengthMax = 200;

/**
 * Which calls an address means: `?key=` and `group` by id, `model` by name, `upstream` by id,
 * `status` (`429`, `5xx`, `timeout`, `failed`), and `from` and `to` as ISO 8601, a day alone being
 * one of UTC. What cannot be read means nothing.
 */
export function readLogFilter(fields: URLSearchParams): LogFilter {
  const texts = Object.entries(textFields).flatMap(([name, field]) => {
    const text = fields.get(name)?.trim().slice(0, textLengthMax);
    return text ? [[field, text]] : [];
  });
  const times = Object.entries(timeFields).flatMap(([name, field]) => {
    const atMs = Date.parse(fields.get(name) ?? "");
    return Number.isNaN(atMs) ? [] : [[field, atMs]];
  });
  return Object.fromEntries([...texts, ...times]);
}

/** The fields of an address that mean these calls, and more of them. */
export function logFilterQuery(
  filter: LogFilter,
  more: Readonly<Record<string, string>> = {},
): string {
  const fields = new URLSearchParams();
  for (const [name, field] of Object.entries(textFields)) {
    if (filter[field] !== undefined) fields.set(name, filter[field]);
  }
  for (const [name, field] of Object.entries(timeFields)) {
    const atMs = filter[field];
    if (atMs !== undefined) fields.set(name, new Date(atMs).toISOString());
  }
  for (const [name, value] of Object.entries(more)) fields.set(name, value);
  return fields.size === 0 ? "" : `?${fields}`;
}
