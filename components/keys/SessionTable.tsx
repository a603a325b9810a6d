import type { ComponentChildren } from "preact";
import { cacheWriteTokens, totalInputTokens, totalOutputTokens } from "../../lib/canonical/mod.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import type { Counts } from "../../lib/store/usage/mod.ts";
import { ListTable } from "../list.ts";
import { dollarsCell } from "../values.tsx";

/** A session, a part of it or a model, with its usage. */
interface CountedRow {
  readonly id: string;
  readonly name: ComponentChildren;
  /** The last column: when it was used, or a link. */
  readonly end?: ComponentChildren;
  readonly counts: Counts;
}

interface SessionTableProps {
  readonly view: AccountView;
  readonly caption: string;
  /** The head of the last column; absent without one. */
  readonly end?: string;
  readonly rows: readonly CountedRow[];
}

/** Calls, tokens and cost, a row for each session, agent or model. */
export function SessionTable({ view, caption, end, rows }: SessionTableProps) {
  const { catalog: { caches, keyPage: { sessions: texts } }, formats } = view;
  const count = (head: string, of: (counts: Counts) => number) => ({
    head,
    type: "number" as const,
    cell: ({ counts }: CountedRow) => formats.count(of(counts)),
  });
  return (
    <ListTable
      caption={caption}
      rows={rows}
      keyOf={({ id }) => id}
      columns={[
        { head: caption, type: "name", at: "name", cell: ({ name }) => name },
        count(texts.calls, ({ requests }) => requests),
        count(texts.failures, ({ failures }) => failures),
        count(texts.input, totalInputTokens),
        count(texts.cached, ({ cacheReadTokens }) => cacheReadTokens),
        count(texts.written, cacheWriteTokens),
        {
          head: caches.saving,
          type: "number",
          cell: dollarsCell(formats, ({ counts }: CountedRow) => counts.cacheSavedNanoUsd),
        },
        count(texts.output, totalOutputTokens),
        {
          head: texts.cost,
          type: "number",
          at: "first",
          cell: dollarsCell(formats, ({ counts }: CountedRow) => counts.costNanoUsd),
        },
        ...(end === undefined ? [] : [{ head: end, cell: ({ end }: CountedRow) => end }]),
      ]}
    />
  );
}
