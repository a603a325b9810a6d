import type { AccountView } from "../../lib/console/page/view.ts";
import type { AuditEntry } from "../../lib/store/audit/mod.ts";
import { Panel } from "../Panel.tsx";
import { ListTable } from "../Table.tsx";
import { untranslated } from "../untranslated.ts";
import { Fact, Facts, Time } from "../values.tsx";

/** One entry of the audit log: actor, target, time, address, and each field before and after. */
export function AuditDetail({ view, entry }: { view: AccountView; entry: AuditEntry }) {
  const { audit: texts } = view.catalog;
  const { kind, action, targetName } = entry;
  return (
    <>
      <Panel
        id="entry"
        title={
          <>
            {texts.sentence(texts.actions[action], texts.kinds[kind])}{" "}
            <span {...untranslated}>{targetName}</span>
          </>
        }
      >
        <EntryFacts view={view} entry={entry} />
      </Panel>
      <Panel id="changes" title={texts.changes}>
        <Changes view={view} entry={entry} />
      </Panel>
    </>
  );
}

function EntryFacts({ view, entry }: { view: AccountView; entry: AuditEntry }) {
  const { catalog: { audit: texts }, formats } = view;
  const { atMs, actorId, actorName, targetId, reason, ip, id } = entry;
  return (
    <Facts class="body">
      <Fact name={texts.time}>
        <Time atMs={atMs} formats={formats} as="moment" />
      </Fact>
      <Fact name={texts.actor}>
        <span {...untranslated}>{`${actorName} (${actorId})`}</span>
      </Fact>
      <Fact name={texts.target}>
        <code class="breakable" {...untranslated}>{targetId}</code>
      </Fact>
      {reason && <Fact name={texts.reason}>{reason}</Fact>}
      <Fact name={texts.address}>{ip ?? texts.none}</Fact>
      <Fact name={texts.id}>
        <code class="breakable" {...untranslated}>{id}</code>
      </Fact>
    </Facts>
  );
}

function Changes({ view, entry: { changes } }: { view: AccountView; entry: AuditEntry }) {
  const { audit: texts } = view.catalog;
  if (changes.length === 0) return <p class="body soft">{texts.noFields}</p>;
  const names: Readonly<Record<string, string>> = texts.fields;
  return (
    <ListTable
      oneLine
      caption={texts.changes}
      label={texts.changesLabel}
      rows={changes}
      keyOf={({ field }) => field}
      columns={[
        {
          head: texts.fieldName,
          type: "name",
          cell: ({ field }) => <span>{names[field] ?? field}</span>,
        },
        { head: texts.before, class: "wrap quiet", cell: ({ before }) => before ?? texts.nothing },
        { head: texts.after, class: "wrap", cell: ({ after }) => after ?? texts.nothing },
      ]}
    />
  );
}
