import type { Catalog } from "../lib/console/i18n/mod.ts";
import { A } from "./A.tsx";

interface PagerProps {
  readonly lists: Catalog["lists"];
  /** The name of the list. */
  readonly of: string;
  /** The address of the previous page, or of the newest page if the store pages the list. */
  readonly previous?: string;
  readonly newest?: string;
  readonly next?: string;
}

/** Links to other pages of a list; nothing if there is only one. */
export function Pager({ lists, of, previous, newest, next }: PagerProps) {
  if (!previous && !newest && !next) return null;
  return (
    <nav class="pager" aria-label={lists.pages(of)}>
      {previous && <A class="button small" href={previous}>{lists.previous}</A>}
      {newest && <A class="button small" href={newest}>{lists.newest}</A>}
      {next && <A class="button small" href={next}>{lists.next}</A>}
    </nav>
  );
}
