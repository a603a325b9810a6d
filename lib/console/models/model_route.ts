import {
  type ModelRow,
  type ModelUpstream,
  upstreamsByModel,
} from "../../admin/models/model_rows.ts";
import {
  healthOf,
  healthOfUpstream,
  type UpstreamState,
} from "../../admin/upstreams/upstream_state.ts";
import { formatNames } from "../../canonical/mod.ts";
import type { RouteVerdict } from "../../routing/mod.ts";
import type { Group } from "../../store/catalog/mod.ts";
import { tryLoad } from "../page/try_load.ts";
import type { AccountState } from "../session/state.ts";
import { type UpstreamFigures, upstreamFigures } from "../upstreams/upstream_figures.ts";
import { verdictsFor } from "../upstreams/upstream_page.ts";

/** An upstream of a model, in the order in which calls try them. */
export interface RouteLine extends ModelUpstream {
  readonly state: UpstreamState;
  /** Absent if the console runs alone, or if the upstream does not serve the group. */
  readonly verdict?: RouteVerdict;
  /** All of its models in the last 24 hours; absent if reading failed. */
  readonly usage?: UpstreamFigures;
}

/** The upstreams of a model for a group: first those that calls try, in their order. */
export async function readRoute(
  { id, formats }: ModelRow,
  group: Group | undefined,
  state: AccountState,
): Promise<readonly RouteLine[]> {
  const { services: { directory } } = state;
  const asked = { model: id, group: group?.id ?? "", format: formats[0] ?? formatNames[0] };
  const verdicts = verdictsFor(asked, state) ?? [];
  const rank = (upstream: ModelUpstream) => {
    const at = verdicts.findIndex(({ upstreamId }) => upstreamId === upstream.id);
    return at < 0 ? verdicts.length : at;
  };
  const serving = upstreamsByModel(directory).get(id) ?? [];
  return await Promise.all(
    serving.toSorted((a, b) => rank(a) - rank(b))
      .map((upstream) => lineOf(upstream, verdicts, state)),
  );
}

async function lineOf(
  upstream: ModelUpstream,
  verdicts: readonly RouteVerdict[],
  state: AccountState,
): Promise<RouteLine> {
  const { services: { store, directory }, nowMs } = state;
  const record = directory.upstreams().find(({ id }) => id === upstream.id);
  const verdict = verdicts.find(({ upstreamId }) => upstreamId === upstream.id);
  const usage = await tryLoad(upstreamFigures(store, upstream.id, nowMs));
  return {
    ...upstream,
    state: record ? healthOfUpstream(record, healthOf(upstream.id, state)).state : "disabled",
    ...(verdict && { verdict }),
    ...(usage && { usage }),
  };
}
