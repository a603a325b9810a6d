import type { CanonicalEvent, CanonicalRequest, FormatName } from "../canonical/mod.ts";
import type { UpstreamRecord } from "../store/catalog/mod.ts";
import type { Credential } from "./credential.ts";

/** An upstream as the gateway calls it: a configured address, or a model that runs inside the gateway. */
export interface Upstream extends UpstreamRecord {
  /** Present for a model inside the gateway, whose `endpoints` are empty: it speaks the canonical form. */
  readonly answer?: AnswerInProcess;
}

export type AnswerInProcess = (
  request: CanonicalRequest,
  options: { readonly requestId: string; readonly signal: AbortSignal },
) => AsyncIterator<CanonicalEvent>;

/** One way to answer a request: an upstream with a format, a credential and a model name. */
export interface Candidate {
  readonly upstream: Upstream;
  readonly upstreamModel: string;
  /** True if the upstream serves `*` but does not list this model. */
  readonly isGuess?: true;
  /** Absent for a model inside the gateway. */
  readonly format?: FormatName;
  /** Absent for an upstream that needs none. */
  readonly credential?: Credential;
}
