import { calledEndpoints, endpointNames } from "../../lib/console/calls/called_endpoints.ts";
import { logPeriods, type LogSearch } from "../../lib/console/calls/log_search.ts";
import { type AccountView, type Catalog, usdText } from "../../lib/console/page/view.ts";
import { FilterSheet } from "../FilterSheet.tsx";

interface LogFilterChoices {
  readonly keys: readonly { readonly id: string; readonly name: string }[];
  readonly models: readonly string[];
  readonly groups: readonly string[];
  /** Absent for readers who may not see upstreams. */
  readonly upstreams?: readonly string[];
  /** Absent for readers who may not see projects. */
  readonly projects?: readonly string[];
}

interface LogFiltersProps {
  readonly view: AccountView;
  readonly search: LogSearch;
  readonly choices: LogFilterChoices;
  /** The e-mail addresses of accounts, by id. */
  readonly accounts: ReadonlyMap<string, string>;
  /** The number of filters in use. */
  readonly used: number;
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

/** The filters of the log. They are part of the address, so links keep them. */
export function LogFilters(props: LogFiltersProps) {
  const { view, search, used } = props;
  const { usage, logPage, lists } = view.catalog;
  const { text } = search.filter;
  return (
    <FilterSheet
      view={view}
      label={usage.filters}
      used={used}
      action="/console/log"
      class="log-filters"
    >
      <label class="wide">
        <span>{logPage.search}</span>
        <input class="input" type="search" name="q" value={text} {...plainInput} />
      </label>
      <Choices {...props} />
      <Period {...props} />
      {search.everybody && <input type="hidden" name="scope" value="all" />}
      <div class="actions start">
        <button class="button" type="submit">{lists.filter}</button>
      </div>
      <More {...props} />
    </FilterSheet>
  );
}

const plainInput = { autocomplete: "off", spellcheck: false } as const;

function Choices(
  { view: { catalog: { log, usage } }, search: { filter }, choices }: LogFiltersProps,
) {
  const keys = choices.keys.map(({ id, name }) => [id, name] as const);
  const models = choices.models.map((model) => [model, model] as const);
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
    </>
  );
}

const moreFields = [
  "groupId",
  "projectId",
  "format",
  "slowerThanMs",
  "dearerThanNanoUsd",
  "tag",
  "upstreamId",
  "accountId",
] as const;

/** Rarely used filters; open while one of them is in use. */
function More(props: LogFiltersProps) {
  const { view: { catalog: { logPage } }, search: { filter, since, until } } = props;
  const used = moreFields.filter((field) => filter[field] !== undefined).length +
    Number(since !== undefined) + Number(until !== undefined);
  return (
    <details class="more-filters" open={used > 0}>
      <summary>{used > 0 ? logPage.moreCount(used) : logPage.more}</summary>
      <div>
        <Days {...props} />
        <MoreChoices {...props} />
        <Bounds {...props} />
      </div>
    </details>
  );
}

function MoreChoices(
  { view: { catalog }, search: { filter }, choices }: LogFiltersProps,
) {
  const { usage, logPage } = catalog;
  const names = endpointNames(catalog);
  const upstreams = choices.upstreams?.map((id) => [id, id] as const);
  return (
    <>
      <Choice
        name="format"
        label={logPage.endpoint}
        any={logPage.anyEndpoint}
        options={calledEndpoints.map((name) => [name, names[name]] as const)}
        value={filter.format}
      />
      <Choice
        name="group"
        label={logPage.group}
        any={logPage.anyGroup}
        options={choices.groups.map((id) => [id, id] as const)}
        value={filter.groupId}
      />
      {choices.projects && choices.projects.length > 0 && (
        <Choice
          name="project"
          label={catalog.audit.fields.project}
          any={logPage.anyProject}
          options={choices.projects.map((id) => [id, id] as const)}
          value={filter.projectId}
        />
      )}
      {upstreams && (
        <Choice
          name="upstream"
          label={usage.upstream}
          any={usage.anyUpstream}
          options={upstreams}
          value={filter.upstreamId}
        />
      )}
    </>
  );
}

function Bounds(
  { view: { catalog: { logPage } }, search: { filter, everybody }, accounts }: LogFiltersProps,
) {
  const { slowerThanMs, dearerThanNanoUsd, tag, accountId } = filter;
  const fields = [
    ["slower", logPage.slower, slowerThanMs === undefined ? "" : String(slowerThanMs / 1_000)],
    [
      "dearer",
      logPage.dearer,
      dearerThanNanoUsd === undefined ? "" : usdText(dearerThanNanoUsd).replace("$", ""),
    ],
    ["tag", logPage.tag, tag ?? ""],
    ...(everybody
      ? [["user", logPage.user, accountId ? accounts.get(accountId) ?? accountId : ""]] as const
      : []),
  ] as const;
  return (
    <>
      {fields.map(([name, label, value]) => (
        <label>
          <span>{label}</span>
          <input
            class="input"
            name={name}
            inputMode={name === "slower" || name === "dearer" ? "decimal" : "text"}
            value={value}
            {...plainInput}
          />
        </label>
      ))}
    </>
  );
}

function Period({ view: { catalog: { usage, logPage } }, search }: LogFiltersProps) {
  const { period, since, until, filter } = search;
  const exact = period === undefined && since === undefined && until === undefined;
  const names = { ...logPage.periods, ...usage.periods };
  const options = Object.keys(logPeriods).map((name) =>
    [name, names[name as keyof typeof logPeriods]] as const // sound: names' own key
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
      {exact && filter.fromMs !== undefined && (
        <input type="hidden" name="from" value={new Date(filter.fromMs).toISOString()} />
      )}
      {exact && filter.toMs !== undefined && (
        <input type="hidden" name="to" value={new Date(filter.toMs).toISOString()} />
      )}
    </>
  );
}

function Days({ view: { catalog: { usage } }, search: { since, until } }: LogFiltersProps) {
  return (
    <>
      <label>
        <span>{usage.since}</span>
        <input class="input" type="date" name="since" value={since} />
      </label>
      <label>
        <span>{usage.until}</span>
        <input class="input" type="date" name="until" value={until} />
      </label>
    </>
  );
}

/** A select; it also offers a value from the address that is not among the options. */
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
