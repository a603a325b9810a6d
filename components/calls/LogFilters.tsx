import { calledEndpoints } from "../../lib/admin/calls.ts";
import { usdText } from "../../lib/canonical/mod.ts";
import { endpointNames } from "../../lib/console/calls/call_words.ts";
import type { OfferedKey } from "../../lib/console/calls/log_page.ts";
import type { LogChip } from "../../lib/console/calls/log_chips.ts";
import {
  logPeriods,
  type LogSearch,
  logSearchPath,
  scopeOf,
} from "../../lib/console/calls/log_search.ts";
import { shortEmail } from "../../lib/console/page/format.ts";
import type { Catalog } from "../../lib/console/i18n/mod.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import ApplyFilters from "../../islands/ApplyFilters.tsx";
import { A } from "../A.tsx";
import { Icon } from "../Icon.tsx";
import { SheetHead, SheetOpener } from "../Panel.tsx";

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

/** The filters with a choice in the row, in its order. */
const inRow: readonly LogChip["field"][] = ["period", "status", "model", "keyId"];

const sheetId = "log-sheet";

/**
 * The filters of the log as a row of chips: frequent ones are choices, others in use are words, and
 * each can be removed. Small screens have all of them in one sheet. A choice applies at once; without
 * a script, a button applies the form.
 */
export function LogFilters(props: LogFiltersProps) {
  const { view: { catalog: { usage, lists, logPage, sheets } }, search, chips } = props;
  const cleared = logSearchPath({ filter: {}, ...scopeOf(search) });
  return (
    <form class="log-filters" action="/console/log" role="search" aria-label={usage.filters}>
      <SheetOpener sheet={sheetId} icon="sliders-horizontal">
        {sheets.filters}
        {chips.length > 0 && (
          <>
            <span class="badge" aria-hidden="true">{chips.length}</span>
            <span class="unseen">{sheets.used(chips.length)}</span>
          </>
        )}
      </SheetOpener>
      <div class="sheet in-row" id={sheetId} popover="auto">
        <SheetHead sheet={sheetId} title={sheets.filters} close={sheets.close} />
        <div class="chips" role="group" aria-label={logPage.active}>
          <PeriodChip {...props} />
          <ChoiceChips {...props} />
          {chips.filter(({ field }) => !isInRow(field, search)).map((chip) => (
            <span key={chip.field} class="chip used">
              <span class="said-by">{chip.text}</span>
              <Remove {...props} chip={chip} />
            </span>
          ))}
          <button class="chip plain only-wide" type="button" popovertarget="more-filters">
            <Icon name="plus" small />
            {logPage.more}
          </button>
          <button class="button small apply" type="submit">{logPage.apply}</button>
          {chips.length > 1 && <A class="link" href={cleared}>{lists.clear}</A>}
        </div>
        <MoreFilters {...props} />
      </div>
      <ApplyFilters />
      {search.who && <input type="hidden" name="who" value={search.who} />}
    </form>
  );
}

/** True for a field that a choice shows. A span of time other than a period is in words. */
function isInRow(field: LogChip["field"], { period }: LogSearch): boolean {
  return inRow.includes(field) && (field !== "period" || period !== undefined);
}

function PeriodChip(props: LogFiltersProps) {
  const { view: { catalog }, search: { period, since, until, filter } } = props;
  const { usage, logPage, periods } = catalog;
  const names = { ...logPage.periods, ...periods.titles };
  const options = logPeriods.map((name) => [name, names[name]] as const);
  const exact = period === undefined && since === undefined && until === undefined;
  const times = exact ? { from: filter.fromMs, to: filter.toMs } : {};
  return (
    <>
      <ChoiceChip
        {...props}
        field="period"
        name="period"
        label={usage.period}
        any={usage.anyPeriod}
        options={options}
        value={period}
      />
      {Object.entries(times).map(([name, ms]) =>
        ms !== undefined && (
          <input key={name} type="hidden" name={name} value={new Date(ms).toISOString()} />
        )
      )}
    </>
  );
}

function ChoiceChips(props: LogFiltersProps) {
  const { view: { catalog: { log, usage } }, search: { filter }, choices } = props;
  const models = choices.models.map((model) => [model, model] as const);
  const keys = choices.keys.map((key) => [key.id, keyText(key, props)] as const);
  const names = statuses.map((status) => [status, usage.statuses[status]] as const);
  const fields = [
    ["status", "status", log.status, names, filter.status],
    ["model", "model", log.model, models, filter.model],
    ["keyId", "key", log.key, keys, filter.keyId],
  ] as const;
  return (
    <>
      {fields.map(([field, name, label, options, value]) => (
        <ChoiceChip key={name} {...props} {...{ field, name, label, options, value }} any={label} />
      ))}
    </>
  );
}

/** A key with its owner, in a list of everyone's, and the end of its secret. */
function keyText({ name, accountId, lastFour }: OfferedKey, { view, accounts }: LogFiltersProps) {
  const owner = accountId && accounts.get(accountId);
  const named = owner ? `${name} · ${shortEmail(owner, view.user)}` : name;
  return lastFour ? `${named} · …${lastFour}` : named;
}

interface SelectProps {
  readonly name: string;
  /** Absent if the select has a label beside it. */
  readonly label?: string;
  /** The option without a filter. */
  readonly any: string;
  readonly options: readonly (readonly [value: string, text: string])[];
  readonly value: string | undefined;
}

/** A select; it also offers a value from the address that is not among the options. */
function Select({ name, label, any, options, value }: SelectProps) {
  const known = value === undefined || options.some(([option]) => option === value);
  return (
    <select class="input" name={name} aria-label={label}>
      <option value="">{any}</option>
      {!known && <option value={value} selected>{value}</option>}
      {options.map(([option, text]) => (
        <option value={option} selected={option === value}>{text}</option>
      ))}
    </select>
  );
}

interface ChoiceChipProps extends LogFiltersProps, SelectProps {
  readonly field: LogChip["field"];
}

/** A select as a chip. */
function ChoiceChip(props: ChoiceChipProps) {
  const { chips, field, value } = props;
  const chip = value === undefined ? undefined : chips.find((one) => one.field === field);
  return (
    <span class={chip ? "chip used" : "chip"}>
      <Select {...props} />
      {chip && <Remove {...props} chip={chip} />}
    </span>
  );
}

function Remove({ view: { catalog: { logPage } }, chip }: LogFiltersProps & { chip: LogChip }) {
  return (
    <A href={chip.href} aria-label={logPage.drop(chip.text)}>
      <Icon name="x" small />
    </A>
  );
}

interface LogFilterChoices {
  readonly keys: readonly OfferedKey[];
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
  /** The filters in use. */
  readonly chips: readonly LogChip[];
}

const plainInput = { autocomplete: "off", spellcheck: false } as const;

/** Rarely used filters, which a chip opens. They are fields of the row's form. */
function MoreFilters(props: LogFiltersProps) {
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
  const texts: Readonly<Record<string, string>> = endpointNames(catalog);
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
  return (
    <>
      {fields.map(([name, label, any, options, value]) =>
        options && options.length > 0 && (
          <label key={name}>
            <span>{label}</span>
            <Select
              name={name}
              any={any}
              options={options.map((one) => [one, name === "format" ? texts[one] : one] as const)}
              value={value}
            />
          </label>
        )
      )}
    </>
  );
}

function Bounds(
  { view: { catalog: { logPage } }, search: { filter, everybody }, accounts }: LogFiltersProps,
) {
  const { slowerThanMs, dearerThanNanoUsd: dearer, tag, accountId, errorCode, failedBy } = filter;
  const seconds = slowerThanMs === undefined ? "" : String(slowerThanMs / 1_000);
  const dollars = dearer === undefined ? "" : usdText(dearer).replace("$", "");
  const account = accountId && (accounts.get(accountId) ?? accountId);
  const fields = [
    ["slower", logPage.slower, seconds, "decimal"],
    ["dearer", logPage.dearer, dollars, "decimal"],
    ["tag", logPage.tag, tag ?? "", "text"],
    ["error", logPage.errorCode, errorCode ?? "", "text"],
    ["failed_by", logPage.failedBy, failedBy ?? "", "text"],
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
