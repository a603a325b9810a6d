/** The reasons why a provider vouched for nobody. */
export type SsoFailure =
  /** The user or the provider declined. */
  | "cancelled"
  /** The browser has no sign-in under way, or it took too long. */
  | "expired"
  /** The answer does not belong to this sign-in, or does not verify. */
  | "invalid"
  /** The provider cannot be reached, fails, or refuses this client. */
  | "unavailable";

/** A failed sign-in at a provider. The message is for the operator's log and has no secret. */
export class SsoError extends Error {
  override readonly name = "SsoError";
  readonly failure: SsoFailure;

  constructor(failure: SsoFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.failure = failure;
  }
}
