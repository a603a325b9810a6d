import { endpointName, keyPath, saidOf } from "../../lib/console/calls/call_words.ts";
import { cacheMissText } from "../../lib/console/keys/cache_words.ts";
import { curlSnippet } from "../../lib/console/connect/client_snippets.ts";
import { modelPath } from "../../lib/console/models/model_list.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import type { RequestLogRow } from "../../lib/store/log/mod.ts";
import { apiLanguage, sentenceOf, verdictOf } from "../../lib/verdict/mod.ts";
import { A } from "../A.tsx";
import { CopyButton } from "../CopyButton.tsx";
import { Fold, Panel } from "../Panel.tsx";
import { untranslated } from "../untranslated.ts";
import { Fact, Facts, Time } from "../values.tsx";

interface CallFactsProps {
  readonly view: AccountView;
  readonly call: RequestLogRow;
  /** The e-mail address of the call's account, if that is not the reader's own. */
  readonly account?: string;
}

/** The request ID, model, key, account and client of a call, with links. */
export function CallFacts({ view, call, account }: CallFactsProps) {
  const { catalog: { audit, call: texts, copy, keyPage, log, logPage }, formats } = view;
  const key = keyPath(call);
  return (
    <Panel id="facts" title={texts.title}>
      <Facts class="body">
        <Fact name={log.request}>
          <span class="id-line">
            <code {...untranslated}>{call.id}</code>
            <CopyButton text={call.id} label={texts.copyId} texts={copy} isLoaded />
          </span>
        </Fact>
        <Fact name={texts.firstCall}>
          {call.replayOf && (
            <A href={`/console/log/${call.replayOf}`} {...untranslated}>{call.replayOf}</A>
          )}
        </Fact>
        <Fact name={texts.time}>
          <Time atMs={call.atMs} formats={formats} as="moment" />
        </Fact>
        {call.chain && (
          <Fact name={texts.virtualModel}>
            <A href={modelPath(call.chain.name)} {...untranslated}>{call.chain.name}</A>
          </Fact>
        )}
        <Fact name={texts.model}>
          <A href={modelPath(call.model)} {...untranslated}>{call.model}</A>
        </Fact>
        <Fact name={texts.key}>
          {key ? <A href={key}>{call.keyName}</A> : call.keyName}
        </Fact>
        <Fact name={logPage.account}>
          {account && <A href={`/console/admin/users/${call.accountId}`}>{account}</A>}
        </Fact>
        <Fact name={texts.group}>{call.groupId}</Fact>
        <Fact name={audit.fields.project}>{call.projectId}</Fact>
        <Fact name={logPage.tag}>{call.tag}</Fact>
        <Fact name={keyPage.sessions.session}>
          {key && call.session && (
            <A href={`${key}/sessions?session=${call.session.id}`} {...untranslated}>
              {Object.values(call.session).join(" · ")}
            </A>
          )}
        </Fact>
        <Fact name={logPage.tags}>{call.tags?.join(", ")}</Fact>
        <Fact name={texts.userAgent}>{call.userAgent}</Fact>
        <Fact name={texts.ip}>{call.ip}</Fact>
      </Facts>
    </Panel>
  );
}

/** All other values that the log records of a call. */
export function CallDetails({ view, call }: CallFactsProps) {
  const { catalog: { caches, call: texts, units }, formats } = view;
  const { upstreamModel, upstreamFormat, firstByteMs } = call;
  const duration = formats.span(call.durationMs);
  return (
    <Fold id="details" title={texts.facts} value={`HTTP ${call.status}, ${duration}`}>
      <Facts class="body">
        <Fact name={texts.time}>{formats.utc(call.atMs)}</Fact>
        <Fact name={texts.status}>{call.status}</Fact>
        <Fact name={texts.errorCode}>
          {call.errorCode && <code {...untranslated}>{call.errorCode}</code>}
        </Fact>
        <Fact name={texts.upstreamModel} {...untranslated}>
          {upstreamModel !== call.model && upstreamModel}
        </Fact>
        <Fact name={texts.endpoint}>{endpointName(view.catalog, call)}</Fact>
        <Fact name={texts.upstreamFormat}>{upstreamFormat && units.formats[upstreamFormat]}</Fact>
        <Fact name={texts.socket} {...untranslated}>{call.socket}</Fact>
        <Fact name={texts.stream}>{call.stream ? texts.yes : texts.no}</Fact>
        <Fact name={texts.firstByte}>
          {firstByteMs !== undefined && formats.span(firstByteMs)}
        </Fact>
        <Fact name={texts.duration}>{duration}</Fact>
        <Fact name={caches.title}>
          {call.cacheMiss && cacheMissText(call.cacheMiss, view.catalog)}
        </Fact>
      </Facts>
    </Fold>
  );
}

/** The error that the caller received: the sentence of the page, in English. */
export function CallReceived({ view, call }: { view: AccountView; call: RequestLogRow }) {
  const { callFailure: failure } = view.catalog;
  const verdict = verdictOf(call);
  if (verdict === undefined) return null;
  const message = sentenceOf(verdict, apiLanguage, saidOf(verdict, view)?.message);
  const error = { code: verdict.code, message };
  const text = `HTTP ${call.status}\nx-request-id: ${call.id}\n\n${
    JSON.stringify({ error }, null, 2)
  }`;
  return (
    <Fold id="received" title={failure.received} value={failure.receivedText(String(call.status))}>
      <div class="body">
        <pre class="received" tabIndex={0} role="region" aria-label={failure.received}>
          <code {...untranslated}>{text}</code>
        </pre>
      </div>
    </Fold>
  );
}

/**
 * The call as a curl command, with placeholders for the key and for the prompt, which is not
 * stored.
 */
export function RepeatCall(
  { view: { catalog: { overview, usage, copy } }, call, origin }: {
    view: AccountView;
    call: RequestLogRow;
    origin: string;
  },
) {
  const snippet = curlSnippet(origin, call.format, {
    model: call.model,
    stream: call.stream,
  });
  return (
    <Fold id="repeat" title={usage.repeat} value={usage.copyCurl}>
      <div class="body">
        <div class="snippet">
          <pre tabIndex={0} role="region" aria-label={overview.snippet}>
            <code {...untranslated}>{snippet}</code>
          </pre>
          <CopyButton text={snippet} label={usage.copyCurl} texts={copy} isLoaded />
        </div>
        <p class="hint">{usage.repeatText}</p>
      </div>
    </Fold>
  );
}
