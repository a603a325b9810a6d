import { cacheMissText } from "../../lib/console/keys/cache_words.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import type { CacheReport } from "../../lib/ledger/mod.ts";
import type { Counts } from "../../lib/store/usage/mod.ts";
import { A } from "../A.tsx";
import { ListTable } from "../list.ts";
import { Panel } from "../Panel.tsx";
import { Figure, Time } from "../values.tsx";

/** The amount that caches saved, and the calls that missed them. */
export function CacheFigure(
  { view: { catalog: { caches }, formats }, counts: { cacheSavedNanoUsd, cacheMisses } }: {
    view: AccountView;
    counts: Counts;
  },
) {
  return (
    <Figure
      name={caches.saving}
      value={<span title={caches.savingText}>{formats.money(cacheSavedNanoUsd)}</span>}
    >
      {caches.misses(cacheMisses, formats.count(cacheMisses))}
    </Figure>
  );
}

/** The causes for which calls of a session missed caches, and the setting that helps; nothing if caches serve. */
export function SessionCaches(
  { view, report: { misses, advice } }: { view: AccountView; report: CacheReport },
) {
  const { catalog, formats } = view;
  const { caches } = catalog;
  if (misses.length === 0 && advice === undefined) return null;
  return (
    <Panel id="session-caches" title={caches.title}>
      {advice !== undefined && <p class="body">{caches.advice[advice]}</p>}
      {misses.length > 0 && (
        <ListTable
          caption={caches.latest}
          rows={misses}
          keyOf={({ id }) => id}
          columns={[
            {
              head: caches.call,
              type: "name",
              at: "name",
              cell: ({ id, atMs }) => (
                <A href={`/console/log/${id}`}>
                  <Time atMs={atMs} formats={formats} />
                </A>
              ),
            },
            {
              head: caches.cause,
              at: "first",
              cell: ({ cacheMiss }) => cacheMissText(cacheMiss, catalog),
            },
          ]}
        />
      )}
    </Panel>
  );
}
