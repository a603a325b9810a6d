import type { ComponentChildren } from "preact";
import { curlSnippet } from "../../lib/console/connect/client_snippets.ts";
import type { AccountView, ApiKey } from "../../lib/console/page/view.ts";
import { A } from "../A.tsx";
import { Icon } from "../Icon.tsx";
import { Panel } from "../Panel.tsx";
import { Snippet } from "../Snippet.tsx";
import { Time } from "../Time.tsx";
import { FirstCheck } from "../connect/LiveCheckOf.tsx";

interface FirstCallProps {
  readonly view: AccountView;
  readonly origin: string;
  readonly keys: readonly ApiKey[];
  /** A model that the account may call; absent if there is none. */
  readonly model: string | undefined;
  readonly last: { readonly atMs: number } | undefined;
  /** Absent for members, who may not add upstreams. */
  readonly upstreamCount: number | undefined;
  readonly sinceMs: number;
}

/** The steps from an empty account to an answered call, each marked as done or to do. */
export function FirstCall(props: FirstCallProps) {
  const { overview, welcome } = props.view.catalog;
  return (
    <Panel
      id="first-call"
      title={overview.firstCall}
      end={<A class="link" href="/console/welcome">{welcome.again}</A>}
    >
      <ol class="steps">
        <ProviderStep {...props} />
        <KeyStep {...props} />
        <CallStep {...props} />
        <SeenStep {...props} />
      </ol>
    </Panel>
  );
}

function ProviderStep({ view, upstreamCount }: FirstCallProps) {
  const { welcome } = view.catalog;
  if (upstreamCount === undefined) return null;
  const [text, href, action] = upstreamCount > 0
    ? [
      welcome.stepProviderDone(upstreamCount),
      "/console/admin/upstreams",
      welcome.stepProviderManage,
    ]
    : [welcome.stepProviderText, "/console/welcome", welcome.stepProviderAction];
  return (
    <Step view={view} title={welcome.stepProviderTitle} done={upstreamCount > 0}>
      <p>{text}</p>
      <More href={href}>{action}</More>
    </Step>
  );
}

function KeyStep({ view, keys: { length: count } }: FirstCallProps) {
  const { overview } = view.catalog;
  const [text, href, action] = count > 0
    ? [overview.stepKeyDone(count), "/console/token", overview.stepKeyManage]
    : [overview.stepKeyText, "/console/token/new", overview.stepKeyAction];
  return (
    <Step view={view} title={overview.stepKey} done={count > 0}>
      <p>{text}</p>
      <More href={href}>{action}</More>
    </Step>
  );
}

function CallStep({ view, origin, keys, model, last }: FirstCallProps) {
  const { overview, copy } = view.catalog;
  const apiKey = enabledOf(keys);
  return (
    <Step view={view} title={overview.stepCall} done={last !== undefined}>
      <p>
        {!model
          ? overview.stepCallNoModel
          : apiKey
          ? overview.stepCallText(apiKey.name)
          : overview.stepCallNoKey}
      </p>
      {model && (
        <Snippet
          text={curlSnippet(origin, "chat-completions", { model })}
          label={overview.snippet}
          copy={overview.copySnippet}
          texts={copy}
        />
      )}
    </Step>
  );
}

function SeenStep({ view, keys, model, last, sinceMs }: FirstCallProps) {
  const { overview } = view.catalog;
  const apiKey = enabledOf(keys);
  return (
    <Step view={view} title={overview.stepSeen} done={last !== undefined}>
      <p>{last ? <Seen view={view} atMs={last.atMs} /> : overview.stepSeenText}</p>
      <More href="/console/log">{overview.stepSeenAction}</More>
      {apiKey && model && (
        <FirstCheck
          view={view}
          apiKey={apiKey}
          sinceMs={sinceMs}
          model={model}
        />
      )}
    </Step>
  );
}

function enabledOf(keys: readonly ApiKey[]): ApiKey | undefined {
  return keys.find(({ enabled }) => enabled);
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

/** The translation is one sentence, so the time element replaces a placeholder in it. */
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
