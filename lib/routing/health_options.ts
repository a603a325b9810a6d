/** What `Health` is bound by: fields of the configuration's `limits`. */
export interface HealthOptions {
  /** Failures in a row that open a breaker. */
  readonly breakerFailuresMax: number;
  /** Failures within `breakerWindowMs` that open it, when at least half of the calls failed. */
  readonly breakerWindowFailuresMax: number;
  readonly breakerWindowMs: number;
  /** How long it is open the first time. */
  readonly breakerOpenMs: number;
  readonly breakerOpenMsMax: number;
  /** How long a pause is where the upstream names no time. */
  readonly cooldownMs: number;
  readonly cooldownMsMax: number;
  /** How long a refused credential is left alone the first time. */
  readonly credentialOutMs: number;
  readonly credentialOutMsMax: number;
  /** How many upstreams, models and credentials are watched. */
  readonly healthEntriesMax: number;
}
