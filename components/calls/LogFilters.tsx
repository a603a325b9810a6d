import type { LogChip } from "../../lib/console/calls/log_chips.ts";
import {
  logPeriods,
  type LogSearch,
  logSearchPath,
  scopeOf,
} from "../../lib/console/calls/log_search.ts";
import type { Catalog } from "../../lib/console/i18n/mod.ts";
import { A } from "../A.tsx";
import { Icon } from "../Icon.tsx";
import { type LogFiltersProps, MoreFilters } from "./MoreFilters.tsx";

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

/**
 * The filters of the log as a row of chips: frequent ones are choices, others in use are words, and
 * each can be removed. The form works without a script, and links keep the address.
 */
export function LogFilters(props: LogFiltersProps) {
  const { view: { catalog: { usage, lists, logPage } }, search, chips } = props;
  return (
    <form class="log-filters" action="/console/log" role="search" aria-label={usage.filters}>
      <div class="chips" role="group" aria-label={logPage.active}>
        <PeriodChip {...props} />
        <ChoiceChips {...props} />
        {chips.filter(({ field }) => !isInRow(field, search)).map((chip) => (
          <span key={chip.field} class="chip used">
            <span class="said-by">{chip.text}</span>
            <Remove {...props} chip={chip} />
          </span>
        ))}
        <button class="chip plain" type="button" popovertarget="more-filters">
          <Icon name="plus" small />
          {logPage.more}
        </button>
        <button class="button small" type="submit">{logPage.apply}</button>
        {chips.length > 1 && <A class="link" href={clearedPath(search)}>{lists.clear}</A>}
      </div>
      <MoreFilters {...props} />
      {search.who && <input type="hidden" name="who" value={search.who} />}
    </form>
  );
}

/** True for a field that a choice shows. A span of time other than a period is in words. */
function isInRow(field: LogChip["field"], { period }: LogSearch): boolean {
  return inRow.includes(field) && (field !== "period" || period !== undefined);
}

function clearedPath(search: LogSearch): string {
  return logSearchPath({ filter: {}, ...scopeOf(search) });
}

function PeriodChip(props: LogFiltersProps) {
  const { view: { catalog: { usage, logPage } }, search: { period, since, until, filter } } = props;
  const names = { ...logPage.periods, ...usage.periods };
  const options = Object.keys(logPeriods).map((name) =>
    [name, names[name as keyof typeof logPeriods]] as const // sound: names' own key
  );
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
  const keys = choices.keys.map(({ id, name }) => [id, name] as const);
  const names = statuses.map((status) => [status, usage.statuses[status]] as const);
  return (
    <>
      <ChoiceChip
        {...props}
        field="status"
        name="status"
        label={log.status}
        any={log.status}
        options={names}
        value={filter.status}
      />
      <ChoiceChip
        {...props}
        field="model"
        name="model"
        label={log.model}
        any={log.model}
        options={models}
        value={filter.model}
      />
      <ChoiceChip
        {...props}
        field="keyId"
        name="key"
        label={log.key}
        any={log.key}
        options={keys}
        value={filter.keyId}
      />
    </>
  );
}

interface ChoiceChipProps extends LogFiltersProps {
  readonly field: LogChip["field"];
  readonly name: string;
  readonly label: string;
  /** The option without a filter. */
  readonly any: string;
  readonly options: readonly (readonly [value: string, text: string])[];
  readonly value: string | undefined;
}

/** A select as a chip; it also offers a value from the address that is not among the options. */
function ChoiceChip(props: ChoiceChipProps) {
  const { chips, field, name, label, any, options, value } = props;
  const known = value === undefined || options.some(([option]) => option === value);
  const chip = value === undefined ? undefined : chips.find((one) => one.field === field);
  return (
    <span class={chip ? "chip used" : "chip"}>
      <select class="input" name={name} aria-label={label}>
        <option value="">{any}</option>
        {!known && <option value={value} selected>{value}</option>}
        {options.map(([option, text]) => (
          <option value={option} selected={option === value}>{text}</option>
        ))}
      </select>
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
