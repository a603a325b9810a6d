import type { AccountView } from "../../lib/console/page/view.ts";
import type { TagGroup, TagRow } from "../../lib/console/projects/tag_page.ts";
import { Panel } from "../Panel.tsx";
import { A, ListTable, untranslated } from "../list.ts";
import { dollarsCell } from "../values.tsx";
import { budgetText } from "./ProjectPanel.tsx";

/** The spending by tag. */
export function TagPanel({ view, groups }: { view: AccountView; groups: readonly TagGroup[] }) {
  const { projects: texts } = view.catalog;
  const used = groups.filter(({ rows }) => rows.length > 0);
  return (
    <Panel id="tags" title={texts.tagsTitle}>
      <p class="body soft">{texts.tagsText}</p>
      {used.length === 0 && <p class="body">{texts.noTags}</p>}
      {used.map((group) => <TagTable key={group.key} view={view} group={group} />)}
    </Panel>
  );
}

function TagTable({ view, group: { key, rows, others } }: { view: AccountView; group: TagGroup }) {
  const { catalog: { projects: texts }, formats } = view;
  return (
    <>
      <ListTable
        caption={`${texts.tag} ${key}`}
        rows={rows}
        keyOf={({ text }) => text}
        columns={[
          { head: key, type: "name", at: "name", cell: ({ text }) => <TagLink text={text} /> },
          {
            head: texts.requests,
            type: "number",
            at: "second",
            cell: (row) => formats.count(row.requests),
          },
          {
            head: texts.spent,
            type: "number",
            at: "first",
            cell: dollarsCell(formats, ({ spentNanoUsd }) => spentNanoUsd),
          },
          {
            head: texts.budgetsUsed,
            class: "wrap quiet",
            at: "below",
            cell: (row) => budgetText(row, view),
          },
          {
            head: texts.showCalls,
            unseen: true,
            cell: (row) => <A class="link" href={callsHref(row)}>{texts.showCalls}</A>,
          },
        ]}
      />
      {others > 0 && <p class="body soft">{texts.others(others)}</p>}
    </>
  );
}

function TagLink({ text }: Pick<TagRow, "text">) {
  const href = `/console/admin/projects/tags?tag=${encodeURIComponent(text)}#bounds`;
  return <A href={href} {...untranslated}>{text}</A>;
}

function callsHref({ text }: TagRow): string {
  return `/console/log?who=everyone&tag=${encodeURIComponent(text)}&period=30d`;
}
