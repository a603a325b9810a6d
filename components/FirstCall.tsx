import type { ComponentChildren } from "preact";
import CopyButton from "../islands/CopyButton.tsx";
import { firstCallSnippet } from "../lib/console/base_urls.ts";
import type { AccountView } from "../lib/console/view.ts";
import { Icon } from "./Icon.tsx";
import { untranslated } from "./untranslated.ts";
import { Time } from "./Time.tsx";

/** Three steps from nothing to a call in the log; what is done says so. */
export function FirstCall(
  { view, origin, keyCount, model, last }: {
    view: AccountView;
    origin: string;
    keyCount: number;
    /** A model that the account may call; absent where there is none. */
    model: string | undefined;
    last: { readonly atMs: number } | undefined;
  },
) {
  const { overview, copy } = view.catalog;
  const snippet = model === undefined ? undefined : firstCallSnippet(origin, model);
  return (
    <section class="panel" aria-labelledby="first-call">
      <header>
        <h2 id="first-call">{overview.firstCall}</h2>
      </header>
      <ol class="steps">
        <Step view={view} title={overview.stepKey} done={keyCount > 0}>
          <p>{keyCount > 0 ? overview.stepKeyDone(keyCount) : overview.stepKeyText}</p>
          <More href={keyCount > 0 ? "/console/token" : "/console/token/new"}>
            {keyCount > 0 ? overview.stepKeyManage : overview.stepKeyAction}
          </More>
        </Step>
        <Step view={view} title={overview.stepCall} done={last !== undefined}>
          <p>{snippet ? overview.stepCallText : overview.stepCallNoModel}</p>
          {snippet && (
            <div class="snippet">
              <pre tabIndex={0} role="region" aria-label={overview.snippet}>
                <code {...untranslated}>{snippet}</code>
              </pre>
              <CopyButton text={snippet} label={overview.copySnippet} texts={copy} />
            </div>
          )}
        </Step>
        <Step view={view} title={overview.stepSeen} done={last !== undefined}>
          <p>
            {last ? <Seen view={view} atMs={last.atMs} /> : overview.stepSeenText}
          </p>
          <More href="/console/log">{overview.stepSeenAction}</More>
        </Step>
      </ol>
    </section>
  );
}

function Step(
  { view: { catalog: { overview } }, title, done, children }: {
    view: AccountView;
    title: string;
    done: boolean;
    children: ComponentChildren;
  },
) {
  return (
    <li class={done ? "done" : undefined}>
      <Icon name={done ? "circle-check" : "circle"} />
      <h3>
        {title}
        <span class="unseen">{`: ${done ? overview.done : overview.toDo}`}</span>
      </h3>
      {children}
    </li>
  );
}

function More({ href, children }: { href: string; children: string }) {
  return (
    <a class="link" href={href}>
      {children}
      <Icon name="arrow-right" small />
    </a>
  );
}

/** The sentence is translated as a whole, so the time element goes where its text stands. */
function Seen({ view: { catalog, formats }, atMs }: { view: AccountView; atMs: number }) {
  const [before, after] = catalog.overview.stepSeenDone("\0").split("\0");
  return (
    <>
      {before}
      <Time atMs={atMs} formats={formats} />
      {after}
    </>
  );
}
