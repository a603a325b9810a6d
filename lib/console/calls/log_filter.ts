import { calledEndpoints } from "../../admin/calls.ts";
import { decimalUsd } from "../../canonical/mod.ts";
import { readUsd } from "../../funds/mod.ts";
import type { LogFilter } from "../../store/log/mod.ts";

/**
 * Reads a field of an address into a field of the filter, and writes it. Ignores unreadable values.
 */
interface FieldRule {
  readonly name: string;
  readonly read: (text: string) => LogFilter;
  readonly write: (filter: LogFilter) => string | undefined;
}

const textLengthMax = 200;
const secondsMax = 86_400;

const rules: readonly FieldRule[] = [
  textRule("key", "keyId"),
  textRule("group", "groupId"),
  textRule("project", "projectId"),
  textRule("model", "model"),
  textRule("upstream", "upstreamId"),
  textRule("status", "status"),
  textRule("error", "errorCode"),
  textRule("failed_by", "failedBy"),
  textRule("tag", "tag"),
  textRule("q", "text"),
  {
    name: "format",
    read: (text) => {
      const format = calledEndpoints.find((name) => name === text);
      return format ? { format } : {};
    },
    write: ({ format }) => format,
  },
  {
    name: "slower",
    read: (text) => {
      const seconds = Number(text);
      return seconds > 0 && seconds <= secondsMax
        ? { slowerThanMs: Math.round(seconds * 1_000) }
        : {};
    },
    write: ({ slowerThanMs }) =>
      slowerThanMs === undefined ? undefined : String(slowerThanMs / 1_000),
  },
  {
    name: "dearer",
    read: (text) => {
      const dearerThanNanoUsd = readUsd(text);
      return dearerThanNanoUsd === undefined ? {} : { dearerThanNanoUsd };
    },
    write: ({ dearerThanNanoUsd: amount }) => amount === undefined ? undefined : decimalUsd(amount),
  },
  timeRule("from", "fromMs"),
  timeRule("to", "toMs"),
];

/**
 * Reads the filter of an address: `?key=`, `group` and `project` by id, `model` by name, `upstream` by id,
 * `status` (`429`, `5xx`, `timeout`, `failed`), `error` (a code), `failed_by` (a limit or upstream), `format` (or an operation such as `embed`), `tag`,
 * `q` (text in the row), `slower` in seconds, `dearer` in dollars, and `from` and `to` in ISO 8601
 * or as a UTC day. Ignores unreadable values.
 */
export function readLogFilter(fields: URLSearchParams): LogFilter {
  const parts = rules.map(({ name, read }) => {
    const text = fields.get(name)?.trim().slice(0, textLengthMax);
    return text ? read(text) : {};
  });
  return Object.assign({}, ...parts);
}

/** Returns the address fields for a filter. */
export function logFilterQuery(
  filter: LogFilter,
  more: Readonly<Record<string, string>> = {},
): string {
  const fields = new URLSearchParams();
  for (const { name, write } of rules) {
    const text = write(filter);
    if (text !== undefined) fields.set(name, text);
  }
  for (const [name, value] of Object.entries(more)) fields.set(name, value);
  return fields.size === 0 ? "" : `?${fields}`;
}

type TextField =
  | "keyId"
  | "groupId"
  | "projectId"
  | "model"
  | "upstreamId"
  | "status"
  | "errorCode"
  | "failedBy"
  | "tag"
  | "text";

function textRule(name: string, field: TextField): FieldRule {
  return { name, read: (text) => ({ [field]: text }), write: (filter) => filter[field] };
}

function timeRule(name: string, field: "fromMs" | "toMs"): FieldRule {
  return {
    name,
    read: (text) => {
      const atMs = Date.parse(text);
      return Number.isNaN(atMs) ? {} : { [field]: atMs };
    },
    write: ({ [field]: atMs }) => atMs === undefined ? undefined : new Date(atMs).toISOString(),
  };
}
