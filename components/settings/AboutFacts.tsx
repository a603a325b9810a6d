import type { AccountView } from "../../lib/console/page/view.ts";
import type { AboutFact } from "../../lib/console/settings/about.ts";
import { A } from "../A.tsx";
import { Fact, Facts } from "../Facts.tsx";
import { Time } from "../Time.tsx";

/** The versions, the store and the start of the gateway, with its health and its documents. */
export function AboutFacts({ view, facts }: { view: AccountView; facts: readonly AboutFact[] }) {
  const { catalog: { about: texts }, formats } = view;
  return (
    <>
      <Facts class="body">
        {facts.map((fact) => (
          <Fact key={fact.name} name={texts.facts[fact.name]}>
            {fact.name === "since"
              ? <Time atMs={fact.atMs} formats={formats} as="moment" />
              : fact.text}
          </Fact>
        ))}
      </Facts>
      <p class="body about-links">
        <A class="link" href="/readyz">{texts.health}</A>
        <A class="link" href="/docs">{texts.documents}</A>
      </p>
    </>
  );
}
