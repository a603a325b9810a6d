import type { AccountView } from "../../lib/console/page/view.ts";
import type { AuditChange, AuditEntry } from "../../lib/store/audit/mod.ts";
import { Fold } from "../Panel.tsx";
import { Cell, Column, NameCell, Row, Table } from "../Table.tsx";
import { untranslated } from "../untranslated.ts";
import { Time } from "../values.tsx";

/** The audit log of a model's price. */
export function PriceHistory(
  { view, entries }: { view: AccountView; entries: readonly AuditEntry[] },
) {
  const { catalog: { priceAdmin: texts }, formats } = view;
  return (
    <Fold id="changes" title={view.catalog.modelPage.changes} value={String(entries.length)}>
      <Table
        caption={texts.history}
        label={texts.historyLabel}
        head={
          <>
            <Column>{texts.when}</Column>
            <Column>{texts.who}</Column>
            <Column>{texts.what}</Column>
          </>
        }
      >
        {entries.map(({ id, atMs, actorName, changes }) => (
          <Row key={id}>
            <NameCell>
              <span>
                <Time atMs={atMs} formats={formats} as="moment" />
              </span>
            </NameCell>
            <Cell label={texts.who} class="quiet">
              <span {...untranslated}>{actorName}</span>
            </Cell>
            <Cell label={texts.what} class="wrap">
              <ul class="changes">
                {changes.map((change) => <li key={change.field}>{changeText(change, view)}</li>)}
              </ul>
            </Cell>
          </Row>
        ))}
      </Table>
    </Fold>
  );
}

export function changeText(
  { field, before, after }: AuditChange,
  { catalog: { audit, priceAdmin: { nothing } }, formats }: AccountView,
): string {
  const names: Readonly<Partial<Record<string, string>>> = audit.fields;
  return formats.pair(names[field] ?? field, `${before ?? nothing} → ${after ?? nothing}`);
}
