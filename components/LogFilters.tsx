import { isFiltered, logPeriods, type LogSearch } from "../lib/console/log_search.ts";
import type { AccountView, Catalog } from "../lib/console/view.ts";
import { Icon } from "./Icon.tsx";

export interface LogFilterChoices {
  readonly keys: readonly { readonly id: string; readonly name: string }[];
  readonly models: readonly string[];
  /** Absent for whoever may not know upstreams. */
  readonly upstreams?: readonly string[];
}

export interface LogFiltersProps {
  readonly view: AccountView;
  readonly search: LogSearch;
  readonly choices: LogFilterChoices;
}

const statuses = [
  "completed",
  "failed",
  "4xx",
  "429",
  "5xx",
  "refused",
  "upstream_error",
  "timeout",
  "truncated",
  "client_gone",
] as const satisfies readonly (keyof Catalog["usage"]["statuses"])[];

/** Which calls are shown. What is chosen stands in the address, so a link shows the same. */
export function LogFilters({ view, search, choices }: LogFiltersProps) {
  const { usage, keys: keyTexts } = view.catalog;
  return (
    <form class="log-filters" action="/console/log" role="search" aria-label={usage.filters}>
      <Choices {...{ view, search, choices }} />
      <Times {...{ view, search }} />
      <label>
        <span>{usage.requestId}</span>
        <input class="input" name="id" autocomplete="off" spellcheck={false} />
      </label>
      <div class="actions start">
        <button class="button" type="submit">{keyTexts.filter}</button>
        {isFiltered(search) && (
          <a class="link" href="/console/log" aria-current="false">
            <Icon name="circle-x" small />
            {keyTexts.clear}
          </a>
        )}
      </div>
    </form>
  );
}

function Choices(
  { view: { catalog: { log, usage } }, search: { filter }, choices }: LogFiltersProps,
) {
  const keys = choices.keys.map(({ id, name }) => [id, name] as const);
  const models = choices.models.map((model) => [model, model] as const);
  const upstreams = choices.upstreams?.map((id) => [id, id] as const);
  return (
    <>
      <Choice name="key" label={log.key} any={usage.anyKey} options={keys} value={filter.keyId} />
      <Choice
        name="model"
        label={log.model}
        any={usage.anyModel}
        options={models}
        value={filter.model}
      />
      <Choice
        name="status"
        label={log.status}
        any={usage.anyStatus}
        options={statuses.map((status) => [status, usage.statuses[status]] as const)}
        value={filter.status}
      />
      {upstreams && (
        <Choice
          name="upstream"
          label={usage.upstream}
          any={usage.anyUpstream}
          options={upstreams}
          value={filter.upstreamId}
        />
      )}
      {filter.groupId !== undefined && <input type="hidden" name="group" value={filter.groupId} />}
    </>
  );
}

function Times({ view: { catalog: { usage } }, search }: Omit<LogFiltersProps, "choices">) {
  const { period, since, until, filter } = search;
  const exact = period === undefined && since === undefined && until === undefined;
  const options = Object.keys(logPeriods).map((name) =>
    [name, usage.periods[name as keyof typeof logPeriods]] as const // its own key
  );
  return (
    <>
      <Choice
        name="period"
        label={usage.period}
        any={usage.anyPeriod}
        options={options}
        value={period}
      />
      <label>
        <span>{usage.since}</span>
        <input class="input" type="date" name="since" value={since} />
      </label>
      <label>
        <span>{usage.until}</span>
        <input class="input" type="date" name="until" value={until} />
      </label>
      {exact && filter.fromMs !== undefined && (
        <input type="hidden" name="from" value={new Date(filter.fromMs).toISOString()} />
      )}
      {exact && filter.toMs !== undefined && (
        <input type="hidden" name="to" value={new Date(filter.toMs).toISOString()} />
      )}
    </>
  );
}

/** One of several, or what the address has beyond them. */
function Choice(
  { name, label, any, options, value }: {
    name: string;
    label: string;
    any: string;
    options: readonly (readonly [value: string, text: string])[];
    value: string | undefined;
  },
) {
  const known = value === undefined || options.some(([option]) => option === value);
  return (
    <label>
      <span>{label}</span>
      <select class="input" name={name}>
        <option value="">{any}</option>
        {!known && <option value={value} selected>{value}</option>}
        {options.map(([option, text]) => (
          <option value={option} selected={option === value}>{text}</option>
        ))}
      </select>
    </label>
  );
}
