import type { GatewayError } from "../canonical/mod.ts";
import type { Candidate } from "../upstreams/upstream.ts";

/** The shortest pause before a retry, and the most that chance adds so that retries spread. */
const pauseMs = { least: 100, jitter: 200 } as const;

/** Retries that an upstream gets at once, however few calls are in progress there. */
const atOnceMin = 3;

/** The rule of the budget, and the calls in progress that it is a share of. */
interface RetryOptions {
  /** The share of an upstream's calls in progress that may be retries; 0 switches them off. */
  readonly percent: number;
  readonly running: (upstreamId: string) => number;
  readonly random: () => number;
}

/**
 * Bounds the calls that are tried again at the upstream that failed, as Envoy's retry budget does:
 * by a share of the calls in progress, so that an outage is not answered with twice the calls. Costs
 * nothing while no call fails.
 */
export class RetryBudget {
  readonly #options: RetryOptions;
  /** The retries in progress by upstream, with their pauses, without zeros. */
  readonly #retries = new Map<string, number>();

  constructor(options: RetryOptions) {
    this.#options = options;
  }

  /** The pause before a retry; undefined if the failure does not allow one. */
  pauseMs(error: GatewayError, { upstream }: Candidate): number | undefined {
    if (upstream.retry === false || upstream.answer || !isPassing(error)) return undefined;
    const { retryAfterSeconds = 0 } = error;
    return retryAfterSeconds * 1_000 + pauseMs.least + pauseMs.jitter * this.#options.random();
  }

  /** Takes a retry from the budget. Returns the function that ends it; undefined if none is left. */
  begin({ upstream: { id } }: Candidate): (() => void) | undefined {
    const { percent, running } = this.#options;
    const retries = this.#retries.get(id) ?? 0;
    if (percent <= 0 || retries >= Math.max(atOnceMin, running(id) * percent / 100)) return;
    this.#count(id, 1);
    return () => this.#count(id, -1);
  }

  #count(id: string, change: 1 | -1): void {
    const retries = (this.#retries.get(id) ?? 0) + change;
    if (retries > 0) this.#retries.set(id, retries);
    else this.#retries.delete(id);
  }
}

/** Failures that are often gone at once; an upstream bills none of them. */
const passingStatuses: ReadonlySet<number | undefined> = new Set([500, 502, 503, 529]);

function isPassing({ upstreamStatus, isBroken }: GatewayError): boolean {
  return isBroken === true || passingStatuses.has(upstreamStatus);
}
