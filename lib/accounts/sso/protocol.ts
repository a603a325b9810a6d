/** A user as a provider vouches for them. */
export interface ProvenIdentity {
  readonly issuer: string;
  /** The provider's own, unchanging name of the user. */
  readonly subject: string;
  /** In lower case; absent unless the provider verified it. */
  readonly email?: string;
  readonly groups: readonly string[];
}

/** The values that bind a provider's answer to one request of one browser. */
export interface CodeExchange {
  readonly state: string;
  readonly nonce: string;
  /** The code verifier of PKCE. */
  readonly verifier: string;
  readonly redirectUri: string;
  readonly startedAtMs: number;
  /** True if the user must enter their credentials at the provider again. */
  readonly reauthenticate: boolean;
}

/** One provider's way of signing in. Both functions throw `SsoError`. */
export interface Protocol {
  /** Returns the address at the provider to which the browser goes. */
  authorizationUrl(exchange: CodeExchange): Promise<URL>;
  /** Verifies the parameters with which the browser came back, and returns who signed in. */
  identify(answer: URLSearchParams, exchange: CodeExchange): Promise<ProvenIdentity>;
}

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
