/** The audit log. */
export {
  type AuditAction,
  auditActions,
  type AuditChange,
  type AuditDraft,
  type AuditEntry,
  type AuditFilter,
  auditKinds,
  type AuditOptions,
  type ChangeOptions,
  createAuditEntry,
  type DeleteOptions,
  getAuditEntry,
  listAuditEntries,
  streamAuditEntries,
} from "./audit_entry.ts";
