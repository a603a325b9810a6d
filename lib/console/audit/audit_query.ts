import { auditActions, type AuditFilter, auditKinds } from "../../store/audit/mod.ts";
import { type Day, readDay } from "../page/day.ts";

const textLengthMax = 100;

/** Which entries a page is about, and how its address says so. */
export interface AuditSearch {
  readonly filter: AuditFilter;
  /** Days of the reader's zone such as `2026-11-21`, both included. */
  readonly since?: string;
  readonly until?: string;
}

/**
 * Which entries an address means, by its fields `actor`, `kind`, `action`, `q`, and `since` and
 * `until` as days of the reader's zone. What it cannot mean counts as absent.
 */
export function readAuditSearch(fields: URLSearchParams, timeZone: string): AuditSearch {
  const kind = auditKinds.find((one) => one === fields.get("kind"));
  const action = auditActions.find((one) => one === fields.get("action"));
  const since = readDay(fields.get("since"), timeZone);
  const until = readDay(fields.get("until"), timeZone);
  const filter = {
    ...(kind && { kind }),
    ...(action && { action }),
    ...textsOf(fields),
    ...timesOf(since, until),
  };
  return { filter, ...(since && { since: since.text }), ...(until && { until: until.text }) };
}

function textsOf(fields: URLSearchParams): Pick<AuditFilter, "text" | "actor"> {
  const [text, actor] = ["q", "actor"].map((name) =>
    fields.get(name)?.trim().slice(0, textLengthMax)
  );
  return { ...(text && { text }), ...(actor && { actor }) };
}

function timesOf(since: Day | undefined, until: Day | undefined) {
  return { ...(since && { fromMs: since.startMs }), ...(until && { toMs: until.endMs }) };
}

/** The fields by which an address means the same entries. */
export function auditFields({ filter, since, until }: AuditSearch): URLSearchParams {
  const { kind, action, actor, text } = filter;
  const said = { kind, action, actor, q: text, since, until };
  return new URLSearchParams(
    Object.entries(said).flatMap(([name, value]) => value === undefined ? [] : [[name, value]]),
  );
}

/** The same entries as an address, from behind the entry `before`. */
export function auditPath(search: AuditSearch, before?: string): string {
  const fields = auditFields(search);
  if (before !== undefined) fields.set("before", before);
  return fields.size === 0 ? "/console/admin/audit" : `/console/admin/audit?${fields}`;
}

/** The id of an entry as an address has it; undefined where it can be none. */
export function readEntryId(text: string | null): string | undefined {
  return text !== null && /^[0-9A-Z]{26}$/.test(text) ? text : undefined;
}
