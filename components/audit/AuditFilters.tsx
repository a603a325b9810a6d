import type { AuditSearch } from "../../lib/console/audit/audit_query.ts";
import { type AccountView, auditActions, auditKinds } from "../../lib/console/page/view.ts";
import { A } from "../A.tsx";
import { Choice } from "../Choice.tsx";
import { FilterSheet } from "../FilterSheet.tsx";
import { SearchField } from "../SearchField.tsx";

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
        value={kind}
        options={auditKinds.map((one) => [one, texts.kinds[one]])}
      />
      <Choice
        name="action"
        label={texts.action}
        any={texts.anyAction}
        value={action}
        options={auditActions.map((one) => [one, texts.actions[one]])}
      />
      <SearchField name="actor" label={texts.byWhom} value={actor} />
      <SearchField label={texts.search} value={text} />
      <DayField name="since" label={texts.since} value={since} />
      <DayField name="until" label={texts.until} value={until} />
      <button class="button" type="submit">{texts.filter}</button>
      {used > 0 && <A class="link" href="/console/admin/audit">{texts.clear}</A>}
    </FilterSheet>
  );
}

interface DayFieldProps {
  readonly name: string;
  readonly label: string;
  readonly value?: string;
}

function DayField({ name, label, value }: DayFieldProps) {
  return (
    <label class="day">
      <span>{label}</span>
      <input class="input" type="date" name={name} value={value} />
    </label>
  );
}
