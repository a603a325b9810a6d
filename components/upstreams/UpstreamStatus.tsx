import type { AccountView, HealthRow } from "../../lib/console/page/view.ts";
import type { UpstreamRow } from "../../lib/console/upstreams/upstream_list.ts";
import { stateOfTarget, type UpstreamState } from "../../lib/console/upstreams/upstream_state.ts";
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

/** The state of an upstream in words, with the parts of it that are out of service. */
export function UpstreamStatus(
  { view, row, refused }: {
    view: AccountView;
    row: UpstreamRow;
    /** The names of refused credentials. */
    refused: readonly string[];
  },
) {
  const { upstreamAdmin: texts } = view.catalog;
  const { status } = row;
  const models = status.parts.filter(({ model }) => model !== undefined).slice(0, partsShown);
  return (
    <>
      <StateWords view={view} state={status.state} untilMs={status.untilMs} />
      {refused.map((id) => <span key={id} class="part bad">{texts.refused(id)}</span>)}
      {models.map((part) => (
        <span key={`${part.model} ${part.credentialId}`} class="part">
          {texts.partly(part.model ?? "", stateText(view, part))}
        </span>
      ))}
    </>
  );
}

const partsShown = 2;

/** The state of one health target of an upstream. */
export function PlaceState({ view, health }: { view: AccountView; health?: HealthRow }) {
  const state = health ? stateOfTarget(health) : "well";
  return <StateWords view={view} state={state} untilMs={health?.untilMs} />;
}

/** The state of an upstream as a whole. */
export function StateWords(
  { view, state, untilMs }: {
    view: AccountView;
    state: UpstreamState;
    untilMs?: number | undefined;
  },
) {
  return <Status tone={toneOf[state]}>{words(view, state, untilMs)}</Status>;
}

function stateText(view: AccountView, health: HealthRow): string {
  return words(view, stateOfTarget(health), health.untilMs);
}

function words({ catalog, formats }: AccountView, state: UpstreamState, untilMs?: number): string {
  const { states, until } = catalog.upstreamAdmin;
  return untilMs === undefined ? states[state] : until(states[state], formats.moment(untilMs));
}
