/** The settings of `Health`, from the configuration's `limits`. */
export interface HealthOptions {
  /** Failures in a row that open a breaker. */
  readonly breakerFailuresMax: number;
  /** Failures within `breakerWindowMs` that open it, when at least half of the calls failed. */
  readonly breakerWindowFailuresMax: number;
  readonly breakerWindowMs: number;
  /** The first open period. */
  readonly breakerOpenMs: number;
  readonly breakerOpenMsMax: number;
  /** The default pause, if the upstream sends no time. */
  readonly cooldownMs: number;
  readonly cooldownMsMax: number;
  /** The first pause of a refused credential. */
  readonly credentialOutMs: number;
  readonly credentialOutMsMax: number;
  /** The most tracked upstreams, models and credentials. */
  readonly healthEntriesMax: number;
}
