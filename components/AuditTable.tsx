import {
  type AccountView,
  auditActions,
  type AuditChange,
  type AuditEntry,
  type AuditFilter,
  auditKinds,
  type Catalog,
} from "../lib/console/view.ts";
import { Cell, Column, NameCell, Row, Table } from "./Table.tsx";
import { Time } from "./Time.tsx";
import { untranslated } from "./untranslated.ts";

type Texts = Catalog["audit"];

/** Which changes are shown. */
export function AuditFilters({ texts, filter }: { texts: Texts; filter: AuditFilter }) {
  return (
    <form class="filters" role="search" aria-label={texts.filter}>
      <select class="input" name="kind" aria-label={texts.kind}>
        <option value="">{texts.anyKind}</option>
        {auditKinds.map((kind) => (
          <option key={kind} value={kind} selected={kind === filter.kind}>
            {texts.kinds[kind]}
          </option>
        ))}
      </select>
      <select class="input" name="action" aria-label={texts.action}>
        <option value="">{texts.anyAction}</option>
        {auditActions.map((action) => (
          <option key={action} value={action} selected={action === filter.action}>
            {texts.actions[action]}
          </option>
        ))}
      </select>
      <input
        class="input"
        type="search"
        name="q"
        aria-label={texts.search}
        placeholder={texts.search}
        autocomplete="off"
        value={filter.text}
      />
      <button class="button" type="submit">{texts.filter}</button>
    </form>
  );
}

/** Who changed what, newest first. */
export function AuditTable(
  { view, entries }: { view: AccountView; entries: readonly AuditEntry[] },
) {
  const { audit: texts } = view.catalog;
  return (
    <Table
      caption={texts.caption}
      label={texts.tableLabel}
      head={
        <>
          <Column>{texts.time}</Column>
          <Column>{texts.actor}</Column>
          <Column>{texts.what}</Column>
          <Column>{texts.target}</Column>
          <Column>{texts.changes}</Column>
          <Column>{texts.address}</Column>
        </>
      }
    >
      {entries.map((entry) => <AuditRow key={entry.id} view={view} entry={entry} />)}
    </Table>
  );
}

function AuditRow({ view, entry }: { view: AccountView; entry: AuditEntry }) {
  const { catalog: { audit: texts }, formats } = view;
  return (
    <Row>
      <NameCell>
        <Time atMs={entry.atMs} formats={formats} as="moment" />
      </NameCell>
      <Cell label={texts.actor} class="wrap">
        <span {...untranslated}>{entry.actorName}</span>
      </Cell>
      <Cell label={texts.what}>{texts.actions[entry.action]}</Cell>
      <Cell label={texts.target} class="wrap">
        {texts.kinds[entry.kind]} <span {...untranslated}>{entry.targetName}</span>
      </Cell>
      <Cell label={texts.changes} class="wrap quiet">
        <Changes texts={texts} entry={entry} />
      </Cell>
      <Cell label={texts.address} class="quiet">{entry.ip ?? texts.none}</Cell>
    </Row>
  );
}

function Changes({ texts, entry: { changes, reason } }: { texts: Texts; entry: AuditEntry }) {
  if (changes.length === 0 && !reason) return <>{texts.none}</>;
  return (
    <ul class="changes">
      {changes.map((change) => <li key={change.field}>{changeText(change, texts)}</li>)}
      {reason && <li>{`“${reason}”`}</li>}
    </ul>
  );
}

function changeText({ field, before, after }: AuditChange, { fields, nothing }: Texts): string {
  const names: Readonly<Record<string, string>> = fields;
  const what = names[field] ?? field;
  if (before === undefined) return `${what}: ${after ?? nothing}`;
  return `${what}: ${before} → ${after ?? nothing}`;
}
