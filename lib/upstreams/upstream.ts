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

/** One way to answer a request: which upstream, by which of its formats and credentials, under which model name. */
export interface Candidate {
  readonly upstream: Upstream;
  readonly upstreamModel: string;
  /** Whether nothing says that the upstream has the model: it serves `*`, and does not list this name. */
  readonly isGuess?: true;
  /** Absent for a model inside the gateway. */
  readonly format?: FormatName;
  /** Absent for an upstream that wants none. */
  readonly credential?: Credential;
}
