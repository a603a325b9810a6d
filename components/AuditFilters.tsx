import type { AuditSearch } from "../lib/console/audit_query.ts";
import { type AccountView, auditActions, auditKinds } from "../lib/console/view.ts";
import { FilterSheet } from "./FilterSheet.tsx";

/** Which changes are shown: by whom, of what, to what and when. */
export function AuditFilters({ view, search }: { view: AccountView; search: AuditSearch }) {
  const { audit: texts } = view.catalog;
  const { filter: { actor, kind, action, text }, since, until } = search;
  const used = [actor, kind, action, text, since, until].filter(Boolean).length;
  return (
    <FilterSheet view={view} label={texts.filter} used={used} class="filters below-head">
      <Choice
        name="kind"
        label={texts.kind}
        any={texts.anyKind}
        chosen={kind}
        choices={auditKinds.map((one) => [one, texts.kinds[one]])}
      />
      <Choice
        name="action"
        label={texts.action}
        any={texts.anyAction}
        chosen={action}
        choices={auditActions.map((one) => [one, texts.actions[one]])}
      />
      <TextField name="actor" label={texts.byWhom} value={actor} />
      <TextField name="q" label={texts.search} value={text} />
      <DayField name="since" label={texts.since} value={since} />
      <DayField name="until" label={texts.until} value={until} />
      <button class="button" type="submit">{texts.filter}</button>
      {used > 0 && (
        <a class="link" href="/console/admin/audit" aria-current="false">{texts.clear}</a>
      )}
    </FilterSheet>
  );
}

function Choice(
  { name, label, any, chosen, choices }: {
    name: string;
    label: string;
    any: string;
    chosen?: string;
    choices: readonly (readonly [string, string])[];
  },
) {
  return (
    <select class="input" name={name} aria-label={label}>
      <option value="">{any}</option>
      {choices.map(([value, text]) => (
        <option key={value} value={value} selected={value === chosen}>{text}</option>
      ))}
    </select>
  );
}

interface TextFieldProps {
  readonly name: string;
  readonly label: string;
  readonly value?: string;
}

function TextField({ name, label, value }: TextFieldProps) {
  return (
    <input
      class="input"
      type="search"
      name={name}
      aria-label={label}
      placeholder={label}
      autocomplete="off"
      value={value}
    />
  );
}

function DayField({ name, label, value }: TextFieldProps) {
  return (
    <label class="day">
      <span>{label}</span>
      <input class="input" type="date" name={name} value={value} />
    </label>
  );
}
