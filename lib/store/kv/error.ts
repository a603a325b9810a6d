/** The reasons of a refusal. A closed set, which callers turn into messages of their own. */
type StoreErrorCode =
  /** An id, name or e-mail address that must be unique is taken. */
  | "already_exists"
  | "not_found"
  /** The record kept changing while we tried to change it. */
  | "conflict"
  /** The record is declared in the configuration and read-only elsewhere. */
  | "declared"
  /** The gateway needs the record as it is, such as the first administrator's account. */
  | "protected"
  /** Another process has the store open. */
  | "locked"
  /** The record does not fit in one commit. */
  | "too_large"
  /** This release cannot read the value, or the secret cannot open it. */
  | "unreadable";

/** An expected refusal. Any other error of a store function is a bug or an outage. */
export class StoreError extends Error {
  override readonly name = "StoreError";
  readonly code: StoreErrorCode;

  constructor(code: StoreErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Another process has the store open. */
export class StoreLocked extends StoreError {
  /** The message without its remedy, which differs between the gateway and the tasks. */
  readonly fault: string;

  constructor(fault: string, remedy: string) {
    super("locked", `${fault}; ${remedy}`);
    this.fault = fault;
  }
}
