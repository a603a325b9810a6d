import type { DocMatch } from "../../lib/docs/mod.ts";
import { A } from "../A.tsx";

/** The matches of a search, best first. */
export function DocMatches({ matches }: { matches: readonly DocMatch[] }) {
  return (
    <ol class="matches" lang="en">
      {matches.map(({ href, page, heading, excerpt }) => (
        <li key={href}>
          <A href={href}>
            <b>{heading ? `${page} › ${heading}` : page}</b>
            <span>{excerpt}</span>
          </A>
        </li>
      ))}
    </ol>
  );
}
