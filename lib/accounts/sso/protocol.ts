import type { ProvenIdentity } from "./claims.ts";

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
