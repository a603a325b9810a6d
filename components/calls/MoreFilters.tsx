import type { LogChip } from "../../lib/console/calls/log_chips.ts";
import type { LogSearch } from "../../lib/console/calls/log_search.ts";
import { calledEndpoints } from "../../lib/admin/calls.ts";
import { endpointNames } from "../../lib/console/calls/called_endpoints.ts";
import { usdText } from "../../lib/canonical/mod.ts";
import type { AccountView } from "../../lib/console/page/view.ts";

interface LogFilterChoices {
  readonly keys: readonly { readonly id: string; readonly name: string }[];
  readonly models: readonly string[];
  readonly groups: readonly string[];
  /** Absent for readers who may not see upstreams. */
  readonly upstreams?: readonly string[];
  /** Absent for readers who may not see projects. */
  readonly projects?: readonly string[];
}

export interface LogFiltersProps {
  readonly view: AccountView;
  readonly search: LogSearch;
  readonly choices: LogFilterChoices;
  /** The e-mail addresses of accounts, by id. */
  readonly accounts: ReadonlyMap<string, string>;
  /** The filters in use. */
  readonly chips: readonly LogChip[];
}

const plainInput = { autocomplete: "off", spellcheck: false } as const;

/** Rarely used filters, which a chip opens. They are fields of the row's form. */
export function MoreFilters(props: LogFiltersProps) {
  const { view: { catalog: { usage, logPage } }, search: { filter, since, until } } = props;
  return (
    <div class="menu of-filters" id="more-filters" popover="auto">
      <label class="wide">
        <span>{logPage.search}</span>
        <input class="input" type="search" name="q" value={filter.text} {...plainInput} />
      </label>
      <label>
        <span>{usage.since}</span>
        <input class="input" type="date" name="since" value={since} />
      </label>
      <label>
        <span>{usage.until}</span>
        <input class="input" type="date" name="until" value={until} />
      </label>
      <MoreChoices {...props} />
      <Bounds {...props} />
      <div class="actions wide">
        <button class="button primary" type="submit">{logPage.apply}</button>
      </div>
    </div>
  );
}

function MoreChoices({ view: { catalog }, search: { filter }, choices }: LogFiltersProps) {
  const { usage, logPage } = catalog;
  const names = endpointNames(catalog);
  const fields = [
    ["format", logPage.endpoint, logPage.anyEndpoint, calledEndpoints, filter.format],
    ["group", logPage.group, logPage.anyGroup, choices.groups, filter.groupId],
    [
      "project",
      catalog.audit.fields.project,
      logPage.anyProject,
      choices.projects,
      filter.projectId,
    ],
    ["upstream", usage.upstream, usage.anyUpstream, choices.upstreams, filter.upstreamId],
  ] as const;
  const texts: Readonly<Record<string, string>> = names;
  return (
    <>
      {fields.map(([name, label, any, options, value]) =>
        options && options.length > 0 && (
          <Choice
            key={name}
            name={name}
            label={label}
            any={any}
            options={options.map((one) => [one, name === "format" ? texts[one] : one] as const)}
            value={value}
          />
        )
      )}
    </>
  );
}

function Bounds(
  { view: { catalog: { logPage } }, search: { filter, everybody }, accounts }: LogFiltersProps,
) {
  const { slowerThanMs, dearerThanNanoUsd: dearer, tag, accountId } = filter;
  const seconds = slowerThanMs === undefined ? "" : String(slowerThanMs / 1_000);
  const dollars = dearer === undefined ? "" : usdText(dearer).replace("$", "");
  const account = accountId && (accounts.get(accountId) ?? accountId);
  const fields = [
    ["slower", logPage.slower, seconds, "decimal"],
    ["dearer", logPage.dearer, dollars, "decimal"],
    ["tag", logPage.tag, tag ?? "", "text"],
    ...(everybody ? [["user", logPage.user, account ?? "", "text"] as const] : []),
  ] as const;
  return (
    <>
      {fields.map(([name, label, value, mode]) => (
        <label key={name}>
          <span>{label}</span>
          <input class="input" name={name} inputMode={mode} value={value} {...plainInput} />
        </label>
      ))}
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
