import { sortText } from "../../lib/console/page/list_query.ts";
import { type UpstreamQuery, upstreamsPath } from "../../lib/console/upstreams/upstream_query.ts";
import { upstreamStates } from "../../lib/console/upstreams/upstream_state.ts";
import {
  type UpstreamPeriod,
  upstreamPeriods,
} from "../../lib/console/upstreams/upstream_usage.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import { A } from "../A.tsx";
import { Choice } from "../Choice.tsx";
import { FilterSheet } from "../FilterSheet.tsx";
import { SearchField } from "../SearchField.tsx";

interface UpstreamFiltersProps {
  readonly view: AccountView;
  readonly query: UpstreamQuery;
  readonly groups: readonly string[];
}

/**
 * Selects the upstreams, and the period of their measurements. All filters are part of the address.
 */
export function UpstreamFilters({ view, query, groups }: UpstreamFiltersProps) {
  const { upstreamAdmin: texts, upstreams } = view.catalog;
  const { period } = query;
  return (
    <div class="filter-bar">
      <FilterSheet
        view={view}
        label={texts.filter}
        used={[query.text, query.state, query.group, query.origin].filter(Boolean).length}
        action="/console/admin/upstreams"
      >
        <SearchField label={texts.search} value={query.text} />
        <Choice
          name="state"
          label={upstreams.state}
          any={texts.anyState}
          value={query.state}
          options={upstreamStates.map((state) => [state, texts.states[state]])}
        />
        <Choice
          name="serves"
          label={upstreams.groups}
          any={texts.anyGroup}
          value={query.group}
          options={groups.map((id) => [id, id])}
        />
        <Choice
          name="from"
          label={texts.anyOrigin}
          any={texts.anyOrigin}
          value={query.origin}
          options={[["console", texts.fromConsole], ["config", texts.fromConfig]]}
        />
        <input type="hidden" name="sort" value={sortText(query)} />
        <input type="hidden" name="period" value={period} />
        <button class="button" type="submit">{texts.filter}</button>
      </FilterSheet>
      <nav class="choice-links" aria-label={texts.period}>
        {(Object.keys(upstreamPeriods) as UpstreamPeriod[]).map((one) => ( // its own keys
          <A key={one} href={upstreamsPath({ ...query, period: one })} current={one === period}>
            {texts.periods[one]}
          </A>
        ))}
      </nav>
    </div>
  );
}
