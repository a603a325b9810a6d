import { auditActions, type AuditFilter, auditKinds } from "../store/mod.ts";

const textLengthMax = 100;

/** Which entries an address means, by its fields `kind`, `action` and `q`. What it cannot mean counts as absent. */
export function readAuditFilter(fields: URLSearchParams): AuditFilter {
  const kind = auditKinds.find((one) => one === fields.get("kind"));
  const action = auditActions.find((one) => one === fields.get("action"));
  const text = fields.get("q")?.trim().slice(0, textLengthMax);
  return { ...(kind && { kind }), ...(action && { action }), ...(text && { text }) };
}

/** The same entries as an address, from behind the entry `before`. */
export function auditPath({ kind, action, text }: AuditFilter, before?: string): string {
  const fields = new URLSearchParams();
  for (const [name, value] of Object.entries({ kind, action, q: text, before })) {
    if (value !== undefined) fields.set(name, value);
  }
  return fields.size === 0 ? "/console/admin/audit" : `/console/admin/audit?${fields}`;
}
