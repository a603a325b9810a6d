import { stateOfTarget, type UpstreamState } from "../../lib/admin/upstreams/upstream_state.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import type { HealthRow } from "../../lib/routing/mod.ts";
import { Status, type StatusTone } from "../States.tsx";

const toneOf = {
  well: "ok",
  degraded: "warn",
  cooling: "warn",
  open: "bad",
  probing: "warn",
  disabled: "off",
  sealed: "bad",
} as const satisfies Record<UpstreamState, StatusTone>;

/** The state of one health target of an upstream. */
export function PlaceState({ view, health }: { view: AccountView; health?: HealthRow }) {
  const state = health ? stateOfTarget(health) : "well";
  return <StateWords view={view} state={state} untilMs={health?.untilMs} />;
}

/** A state as icon and words, with its end if that is known. */
export function StateWords(
  { view, state, untilMs }: {
    view: AccountView;
    state: UpstreamState;
    untilMs?: number | undefined;
  },
) {
  return <Status tone={toneOf[state]}>{words(view, state, untilMs)}</Status>;
}

/** The state of a part of an upstream, in words. */
export function stateText(view: AccountView, health: HealthRow): string {
  return words(view, stateOfTarget(health), health.untilMs);
}

function words({ catalog, formats }: AccountView, state: UpstreamState, untilMs?: number): string {
  const { states, until } = catalog.upstreamAdmin;
  return untilMs === undefined ? states[state] : until(states[state], formats.moment(untilMs));
}
