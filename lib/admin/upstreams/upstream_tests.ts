import { HttpError } from "fresh";
import type { UpstreamModel, UpstreamRecord } from "../../store/catalog/mod.ts";
import {
  type ConnectionReport,
  type ModelReport,
  testConnection,
  testModel,
} from "../../upstreams/mod.ts";
import type { ActingState } from "../audit.ts";
import type { UpstreamServices } from "../services.ts";

/** The part of a request's state that these functions need. */
export type Serving = Pick<ActingState, "services">;

/** The services for calling upstreams. Throws `HttpError` with 503 if the console runs alone. */
export function upstreamServices({ services }: Serving): UpstreamServices {
  if (services.upstreams === undefined) throw new HttpError(503);
  return services.upstreams;
}

/** Tests the connection to an upstream. Changes nothing. */
export function testUpstream(
  upstream: UpstreamRecord,
  state: Serving,
  caller: AbortSignal,
): Promise<ConnectionReport> {
  return testConnection(upstream, upstreamServices(state).send, caller);
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
