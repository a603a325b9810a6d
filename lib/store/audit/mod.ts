/** The audit log. */
export {
  type AuditAction,
  auditActions,
  type AuditChange,
  type AuditDraft,
  type AuditEntry,
  auditKinds,
  type AuditOptions,
  type ChangeOptions,
  createAuditEntry,
  type DeleteOptions,
} from "./audit_entry.ts";
export {
  type AuditFilter,
  getAuditEntry,
  listAuditEntries,
  streamAuditEntries,
} from "./audit_list.ts";
