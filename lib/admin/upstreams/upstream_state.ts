import { HttpError } from "fresh";
import type { HealthRow } from "../../routing/mod.ts";
import type { UpstreamModel, UpstreamRecord } from "../../store/catalog/mod.ts";
import {
  type ConnectionReport,
  type ModelReport,
  testConnection,
  testModel,
} from "../../upstreams/mod.ts";
import type { ActingState } from "../audit.ts";
import type { UpstreamServices } from "../services.ts";
import { type CloudTest, cloudTest } from "./cloud_advice.ts";

/** The health of one upstream: as a whole, by credential and by model. */
export function healthOf(upstreamId: string, state: ServicesState): readonly HealthRow[] {
  return state.services.upstreams?.health.snapshot()
    .filter((row) => row.upstreamId === upstreamId) ?? [];
}

export const upstreamStates = [
  "well",
  "degraded",
  "cooling",
  "open",
  "probing",
  "disabled",
  "sealed",
] as const;
/** The states of an upstream on a page. Health does not apply to a disabled upstream. */
export type UpstreamState = typeof upstreamStates[number];

/** The health of an upstream. */
export interface UpstreamHealth {
  readonly state: UpstreamState;
  /** Milliseconds since the epoch: the end of the open or cooling state. */
  readonly untilMs?: number;
  /** Credentials and models that are out of service although the upstream is not. */
  readonly parts: readonly HealthRow[];
}

const severity = { closed: 0, "half-open": 1, cooling: 2, open: 3 } as const satisfies Record<
  HealthRow["state"],
  number
>;

/**
 * The state of an upstream is that of its whole, or of all its models if every one is out of
 * service. It is degraded if only a part is out of service, or if some of its latest calls failed.
 */
export function healthOfUpstream(
  { enabled, credentials, credentialsFault }: UpstreamRecord,
  health: readonly HealthRow[],
): UpstreamHealth {
  if (credentialsFault !== undefined) return { state: "sealed", parts: [] };
  if (!enabled) return { state: "disabled", parts: [] };
  const whole = health.find(isWhole);
  if (whole && whole.state !== "closed") return { ...stateOf(whole), parts: [] };
  const parts = health.filter((row) => !isWhole(row) && row.state !== "closed");
  const out = allOut(health.filter(({ model }) => model !== undefined)) ??
    allOut(refusedAmong(health, credentials.length));
  if (out) return { ...stateOf(out), parts };
  const failed = health.some(({ windowFailures }) => windowFailures > 0);
  return { state: parts.length > 0 || failed ? "degraded" : "well", parts };
}

/** The name of a target's state on a page. */
export function stateOfTarget({ state, windowFailures }: HealthRow): UpstreamState {
  const names = { "half-open": "probing", cooling: "cooling", open: "open" } as const;
  if (state === "closed") return windowFailures > 0 ? "degraded" : "well";
  return names[state];
}

/** The worst state of a model over its credentials. */
export function worstState(
  health: readonly HealthRow[],
): Pick<UpstreamHealth, "state" | "untilMs"> {
  const [worst] = health.toSorted((a, b) =>
    severity[b.state] - severity[a.state] || b.windowFailures - a.windowFailures
  );
  return worst ? stateOf(worst) : { state: "well" };
}

function stateOf(row: HealthRow): Pick<UpstreamHealth, "state" | "untilMs"> {
  const { untilMs } = row;
  return { state: stateOfTarget(row), ...(untilMs !== undefined && { untilMs }) };
}

function isWhole({ credentialId, model }: HealthRow): boolean {
  return credentialId === undefined && model === undefined;
}

/** The health of the credentials, if the health of each is known. */
function refusedAmong(health: readonly HealthRow[], credentials: number): readonly HealthRow[] {
  const known = health.filter(({ credentialId, model }) =>
    credentialId !== undefined && model === undefined
  );
  return known.length >= credentials ? known : [];
}

/** Returns the one that recovers first, if all are out of service. */
function allOut(rows: readonly HealthRow[]): HealthRow | undefined {
  if (rows.some(({ state }) => state === "closed")) return undefined;
  return rows.toSorted((a, b) => severity[a.state] - severity[b.state])[0];
}

/** The part of a request's state that these functions need. */
export type ServicesState = Pick<ActingState, "services">;

/** The services for calling upstreams. Throws `HttpError` with 503 if the console runs alone. */
export function upstreamServices({ services }: ServicesState): UpstreamServices {
  if (services.upstreams === undefined) throw new HttpError(503);
  return services.upstreams;
}

/** The result of a test, with what a cloud says about it. */
export type UpstreamTest = ConnectionReport & CloudTest;

/** Tests the connection to an upstream. Changes nothing. */
export async function testUpstream(
  upstream: UpstreamRecord,
  state: ServicesState,
  caller: AbortSignal,
): Promise<UpstreamTest> {
  const report = await testConnection(upstream, upstreamServices(state).send, caller);
  return { ...report, ...cloudTest(upstream, report) };
}

/** Maximum number of models tested concurrently, and of models per click. */
export const modelTestsAtOnce = 4;
export const modelTestsMax = 100;

/** Yields the result of each model as it completes. Stops when the caller disconnects. */
export async function* testedModels(
  upstream: UpstreamRecord,
  models: readonly UpstreamModel[],
  { state, caller }: {
    readonly state: Pick<ActingState, "services">;
    readonly caller: AbortSignal;
  },
): AsyncGenerator<ModelReport> {
  const { send } = upstreamServices(state);
  const leaving = new AbortController();
  const signal = AbortSignal.any([caller, leaving.signal]);
  const waiting = models.entries();
  const running = new Map<number, Promise<{ readonly at: number; readonly report: ModelReport }>>();
  const begin = () => {
    const { value, done } = waiting.next();
    if (done) return;
    const [at, model] = value;
    const asked = testModel(upstream, model, { send, caller: signal });
    running.set(at, asked.then((report) => ({ at, report })));
  };
  try {
    for (let n = 0; n < modelTestsAtOnce; n++) begin();
    while (running.size > 0) {
      const { at, report } = await Promise.race(running.values());
      running.delete(at);
      begin();
      yield report;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    leaving.abort();
    await Promise.allSettled(running.values());
  }
}
