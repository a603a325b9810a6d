import type { AccountView } from "../../lib/console/page/view.ts";
import type { HitGroup } from "../../lib/console/search/search.ts";
import { A } from "../A.tsx";
import { Panel } from "../Panel.tsx";
import { Empty } from "../States.tsx";
import { SearchField } from "../controls.tsx";
import { untranslated } from "../untranslated.ts";

/** The form, and the hits in panels by kind. */
export function SearchHits(
  { view, text, groups }: {
    view: AccountView;
    text: string;
    groups: readonly HitGroup[];
  },
) {
  const { catalog: { search } } = view;
  const count = groups.reduce((sum, { hits }) => sum + hits.length, 0);
  return (
    <>
      <form class="search-form" action="/console/search">
        <SearchField label={search.label} value={text} />
        <button class="button" type="submit">{search.submit}</button>
      </form>
      <p class="soft" role="status">{text === "" ? search.hint : search.count(count)}</p>
      {count === 0 && (
        <Empty icon="search" title={search.none} text={search.noneText} heading="h2" />
      )}
      {groups.map((group) => (
        <Panel key={group.kind} id={`found-${group.kind}`} title={search.kinds[group.kind]}>
          <ul class="search-hits">
            {group.hits.map(({ name, note, href }) => (
              <li key={href}>
                <A href={href}>
                  <b {...untranslated}>{name}</b>
                  {note && <span {...untranslated}>{note}</span>}
                </A>
              </li>
            ))}
          </ul>
        </Panel>
      ))}
    </>
  );
}
