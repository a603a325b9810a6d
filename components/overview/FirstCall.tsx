import type { ComponentChildren } from "preact";
import { curlSnippet } from "../../lib/console/connect/client_snippets.ts";
import { nothingYet } from "../../lib/console/connect/live_check.ts";
import type { AccountView, ApiKey } from "../../lib/console/page/view.ts";
import { A } from "../A.tsx";
import { Icon } from "../Icon.tsx";
import { LiveCheckOf } from "../connect/LiveCheckOf.tsx";
import { Panel } from "../Panel.tsx";
import { Snippet } from "../Snippet.tsx";
import { Time } from "../Time.tsx";

/** The steps from nothing to a call that was answered; what is done says so. */
export function FirstCall(
  { view, origin, keys, model, last, upstreamCount, sinceMs }: {
    view: AccountView;
    origin: string;
    keys: readonly ApiKey[];
    /** A model that the account may call; absent where there is none. */
    model: string | undefined;
    last: { readonly atMs: number } | undefined;
    /** Absent for who may not add any. */
    upstreamCount: number | undefined;
    sinceMs: number;
  },
) {
  const { overview, copy, welcome } = view.catalog;
  const snippet = model && curlSnippet(origin, "chat-completions", { model });
  const keyCount = keys.length;
  const apiKey = keys.find(({ enabled }) => enabled);
  return (
    <Panel
      id="first-call"
      title={overview.firstCall}
      end={<A class="link" href="/console/welcome">{welcome.again}</A>}
    >
      <ol class="steps">
        {upstreamCount !== undefined && (
          <Step view={view} title={welcome.stepProviderTitle} done={upstreamCount > 0}>
            <p>
              {upstreamCount > 0
                ? welcome.stepProviderDone(upstreamCount)
                : welcome.stepProviderText}
            </p>
            <More href={upstreamCount > 0 ? "/console/admin/upstreams" : "/console/welcome"}>
              {upstreamCount > 0 ? welcome.stepProviderManage : welcome.stepProviderAction}
            </More>
          </Step>
        )}
        <Step view={view} title={overview.stepKey} done={keyCount > 0}>
          <p>{keyCount > 0 ? overview.stepKeyDone(keyCount) : overview.stepKeyText}</p>
          <More href={keyCount > 0 ? "/console/token" : "/console/token/new"}>
            {keyCount > 0 ? overview.stepKeyManage : overview.stepKeyAction}
          </More>
        </Step>
        <Step view={view} title={overview.stepCall} done={last !== undefined}>
          <p>
            {!snippet
              ? overview.stepCallNoModel
              : apiKey
              ? overview.stepCallText(apiKey.name)
              : overview.stepCallNoKey}
          </p>
          {snippet && (
            <Snippet
              text={snippet}
              label={overview.snippet}
              copy={overview.copySnippet}
              texts={copy}
            />
          )}
        </Step>
        <Step view={view} title={overview.stepSeen} done={last !== undefined}>
          <p>
            {last ? <Seen view={view} atMs={last.atMs} /> : overview.stepSeenText}
          </p>
          <More href="/console/log">{overview.stepSeenAction}</More>
          {apiKey && model && (
            <LiveCheckOf
              view={view}
              apiKey={apiKey}
              sinceMs={sinceMs}
              seen={nothingYet}
              look={`/console/connect?key=${apiKey.id}&since=${sinceMs}`}
              testModel={model}
            />
          )}
        </Step>
      </ol>
    </Panel>
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
    <A class="link" href={href}>
      {children}
      <Icon name="arrow-right" small />
    </A>
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
