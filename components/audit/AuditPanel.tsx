import { auditList, auditPath, type AuditQuery } from "../../lib/console/audit/audit_list.ts";
import type { Catalog } from "../../lib/console/i18n/mod.ts";
import type { Formats } from "../../lib/console/page/format.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import {
  auditActions,
  type AuditChange,
  type AuditEntry,
  auditKinds,
} from "../../lib/store/audit/mod.ts";
import { A, type ColumnsOf, ListPanel, type PanelProps, Time, untranslated } from "../list.ts";

type Texts = Catalog["audit"];

/** The audit log, newest first. */
export function AuditPanel(props: PanelProps<typeof auditList>) {
  const { view, query } = props;
  const { audit: texts } = view.catalog;
  return (
    <ListPanel
      {...props}
      id="entries"
      list={auditList}
      texts={{ ...texts, title: texts.caption }}
      icon="file-clock"
      columns={columns(view, query)}
      keyOf={({ id }) => id}
      filtersBelow
      filters={[
        {
          name: "kind",
          label: texts.kind,
          any: texts.anyKind,
          options: auditKinds.map((one) => [one, texts.kinds[one]]),
        },
        {
          name: "action",
          label: texts.action,
          any: texts.anyAction,
          options: auditActions.map((one) => [one, texts.actions[one]]),
        },
        { name: "actor", label: texts.byWhom },
        { name: "q", label: texts.search },
        { name: "since", label: texts.since, isDay: true },
        { name: "until", label: texts.until, isDay: true },
      ]}
      end={<a class="link" href={auditPath(query, "export")} download>{texts.exportCsv}</a>}
    />
  );
}

function columns(
  { catalog: { audit: texts }, formats }: AccountView,
  query: AuditQuery,
): ColumnsOf<typeof auditList> {
  return [
    {
      head: texts.time,
      at: "first",
      type: "name",
      cell: ({ id, atMs }) => (
        <span>
          <A href={auditPath(query, id)}>
            <Time atMs={atMs} formats={formats} as="moment" />
          </A>
        </span>
      ),
    },
    {
      head: texts.actor,
      at: "below",
      class: "wrap",
      cell: ({ actorName }) => <span {...untranslated}>{actorName}</span>,
    },
    { head: texts.what, at: "name", cell: ({ action }) => texts.actions[action] },
    {
      head: texts.target,
      at: "second",
      class: "wrap",
      cell: ({ kind, targetName }) => (
        <>
          {texts.kinds[kind]} <span {...untranslated}>{targetName}</span>
        </>
      ),
    },
    {
      head: texts.changes,
      class: "wrap quiet",
      cell: (entry) => <Changes texts={texts} formats={formats} entry={entry} />,
    },
    { head: texts.address, class: "quiet", cell: ({ ip }) => ip ?? texts.none },
  ];
}

function Changes(
  { texts, formats, entry: { changes, reason } }: {
    texts: Texts;
    formats: Formats;
    entry: AuditEntry;
  },
) {
  if (changes.length === 0 && !reason) return <>{texts.none}</>;
  return (
    <ul class="changes">
      {changes.map((change) => <li key={change.field}>{changeText(change, texts, formats)}</li>)}
      {reason && <li>{`“${reason}”`}</li>}
    </ul>
  );
}

function changeText(
  { field, before, after }: AuditChange,
  { fields, nothing }: Texts,
  formats: Formats,
): string {
  const names: Readonly<Record<string, string>> = fields;
  const then = after ?? nothing;
  return formats.pair(names[field] ?? field, before === undefined ? then : `${before} → ${then}`);
}
