import { auditFields, type AuditSearch } from "../../lib/console/audit/audit_query.ts";
import type { AccountView, AuditChange, AuditEntry, Catalog } from "../../lib/console/page/view.ts";
import { A } from "../A.tsx";
import { Cell, Column, NameCell, Row, Table } from "../Table.tsx";
import { Time } from "../Time.tsx";
import { untranslated } from "../untranslated.ts";

type Texts = Catalog["audit"];

/** Who changed what, newest first. */
export function AuditTable(
  { view, entries, search }: {
    view: AccountView;
    entries: readonly AuditEntry[];
    /** What an entry's page leads back to. */
    search: AuditSearch;
  },
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
      {entries.map((entry) => (
        <AuditRow key={entry.id} view={view} entry={entry} query={auditFields(search)} />
      ))}
    </Table>
  );
}

function AuditRow(
  { view, entry, query }: { view: AccountView; entry: AuditEntry; query: URLSearchParams },
) {
  const path = `/console/admin/audit/${entry.id}${query.size > 0 ? `?${query}` : ""}`;
  const { catalog: { audit: texts }, formats } = view;
  return (
    <Row>
      <NameCell>
        <span>
          <A href={path}>
            <Time atMs={entry.atMs} formats={formats} as="moment" />
          </A>
        </span>
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
