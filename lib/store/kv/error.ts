/** The reason the store refused. A closed set, which callers turn into messages of their own. */
type StoreErrorCode =
  /** An id, name or e-mail address that must be unique is taken. */
  | "already_exists"
  | "not_found"
  /** Others changed the same record again and again while we tried to. */
  | "conflict"
  /** The record is declared in the configuration and read-only elsewhere. */
  | "declared"
  /** The first administrator's account must stay as it is. */
  | "protected"
  /** Another process has the store open. */
  | "locked"
  /** A record that does not fit into one commit. */
  | "too_large"
  /** A value that this release cannot read, or a secret that does not fit. */
  | "unreadable";

/** A refusal that the store foresees. Anything else thrown by a store function is a bug or an outage. */
export class StoreError extends Error {
  override readonly name = "StoreError";
  readonly code: StoreErrorCode;

  constructor(code: StoreErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
