import { type ErrorCode, GatewayError, type GatewayErrorOptions } from "../../lib/canonical/mod.ts";
import {
  candidatesFor,
  type Clock,
  Health,
  type HealthOptions,
  type HealthView,
} from "../../lib/routing/mod.ts";
import type { Candidate, Upstream } from "../../lib/upstreams/upstream.ts";

/** An upstream of a test: it serves `m` to everybody in the messages format. */
export function upstream(id: string, more: Partial<Upstream> = {}): Upstream {
  return {
    id,
    endpoints: { messages: "http://x" },
    credentials: ["k"],
    models: [{ id: "m" }],
    priority: 0,
    weight: 1,
    groups: ["*"],
    timeouts: { connectMs: 1, firstByteMs: 1, idleMs: 1, totalMs: 1 },
    enabled: true,
    origin: "config",
    ...more,
  };
}

export const query = { model: "m", format: "messages", groupId: "default" } as const;

/** A health view without any observations. */
export const unknown: HealthView = {
  status: () => ({ state: "closed", isProbing: false }),
  observed: () => ({ errorShare: 0 }),
};

/** The ways to call upstreams, in the order of the configuration: one for each credential. */
export function waysTo(...upstreams: Upstream[]): Candidate[] {
  return upstreams.flatMap((one) =>
    candidatesFor(query, [one], { health: unknown, nowMs: 0, random: () => 0.5 })
  );
}

/** A clock that a test moves; waiting moves it too, and is noted. */
export class TestClock implements Clock {
  nowMs = 1_000_000;
  readonly waits: number[] = [];
  /** Called while somebody waits, before the time is over. */
  onWait: (ms: number) => void = () => {};

  now(): number {
    return this.nowMs;
  }

  wait(ms: number, signal: AbortSignal): Promise<void> {
    this.waits.push(ms);
    this.onWait(ms);
    if (!signal.aborted) this.nowMs += ms;
    return Promise.resolve();
  }
}

export const options: HealthOptions = {
  breakerFailuresMax: 3,
  breakerWindowFailuresMax: 5,
  breakerWindowMs: 30_000,
  breakerOpenMs: 1_000,
  breakerOpenMsMax: 8_000,
  cooldownMs: 1_000,
  cooldownMsMax: 60_000,
  credentialOutMs: 60_000,
  credentialOutMsMax: 240_000,
  healthEntriesMax: 100,
};

export function healthOf(clock: Clock, more: Partial<HealthOptions> = {}): Health {
  return new Health({ ...options, ...more }, () => clock.now());
}

export function failure(code: ErrorCode, more: GatewayErrorOptions = {}): GatewayError {
  return new GatewayError(code, `fails with ${code}`, more);
}

/** One attempt from its beginning to its end. Throws where none is let through. */
export function attempted(
  health: Health,
  candidate: Candidate,
  error?: GatewayError,
  firstByteMs = 100,
): void {
  const handle = health.begin(candidate);
  if (!handle) throw new Error("no attempt is let through");
  if (!error) handle.answered(firstByteMs);
  handle.ended(error);
}
