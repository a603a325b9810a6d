import type { HealthRow } from "../../routing/mod.ts";
import type { UpstreamRecord } from "../../store/catalog/mod.ts";
import type { Serving } from "./upstream_tests.ts";

/** The health of one upstream: as a whole, by credential and by model. */
export function healthOf(upstreamId: string, state: Serving): readonly HealthRow[] {
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
