import type { ContentState } from "../../lib/console/calls/call_page.ts";
import type { ShownBody, ShownMessage, ShownText } from "../../lib/console/calls/content_page.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import { A } from "../A.tsx";
import { CopyButton } from "../CopyButton.tsx";
import { Panel } from "../Panel.tsx";
import { untranslated } from "../untranslated.ts";

/** Leads from a call to its recorded request and answer. */
export function ContentPanel(
  { view, id, content }: { view: AccountView; id: string; content: ContentState },
) {
  const { catalog: { recordings: texts }, formats } = view;
  const { expiresAtMs, isAudited, keyPath } = content;
  if (expiresAtMs === undefined && keyPath === undefined) return null;
  return (
    <Panel id="content" title={texts.title}>
      <div class="body">
        {expiresAtMs === undefined
          ? (
            <p class="soft">
              {texts.notRecorded} <A class="link" href={keyPath}>{texts.recordKey}</A>
            </p>
          )
          : (
            <>
              <p>
                {texts.kept(formats.moment(expiresAtMs))} {isAudited && texts.audited}
              </p>
              <A class="button" href={`/console/log/${id}/content`}>{texts.show}</A>
            </>
          )}
      </div>
    </Panel>
  );
}

/** The messages of a recorded call, as a conversation. */
export function ContentMessages(
  { view, messages }: { view: AccountView; messages: readonly ShownMessage[] },
) {
  const { recordings: texts } = view.catalog;
  return (
    <Panel id="messages" title={texts.messages}>
      {messages.length === 0 && <p class="body soft">{texts.noMessages}</p>}
      <ol class="said-in-call">
        {messages.map(({ from, role, blocks }, at) => (
          <li key={at} class={from}>
            <h3>{from === "answer" ? texts.answer : texts.roles[role]}</h3>
            {blocks.map(({ type, name, ...shown }, at) => (
              <div key={at}>
                {type !== "text" && (
                  <p class="hint">
                    {texts.types[type]} {name && <code {...untranslated}>{name}</code>}
                  </p>
                )}
                <pre class="said-text" {...untranslated}>{shown.text}</pre>
                {shown.isLonger && <p class="hint">{texts.longer}</p>}
              </div>
            ))}
          </li>
        ))}
      </ol>
    </Panel>
  );
}

/** The request or the answer, as its bytes were. */
export function ContentText(
  { view, part, shown, path }: {
    view: AccountView;
    part: "request" | "answer";
    /** Absent if the call ended before. */
    shown: ShownBody | undefined;
    path: string;
  },
) {
  const { recordings: texts, copy } = view.catalog;
  const isRequest = part === "request";
  const title = isRequest ? texts.request : texts.response;
  const missing = shown ? shown.missing : "none";
  return (
    <Panel
      id={part}
      title={title}
      beside={shown && <span class="hint">{factsOf(view, shown)}</span>}
      end={shown && !missing && (
        <>
          <a class="link" href={`${path}?part=${part}`} download>{texts.download}</a>
          {!shown.isLonger && (
            <CopyButton
              text={shown.text}
              label={isRequest ? texts.copyRequest : texts.copyAnswer}
              texts={copy}
            />
          )}
        </>
      )}
    >
      {missing
        ? <p class="body soft">{texts.missing[missing]}</p>
        : <Raw view={view} title={title} shown={shown} />}
    </Panel>
  );
}

function Raw(
  { view, title, shown }: { view: AccountView; title: string; shown: ShownText | undefined },
) {
  return (
    <div class="body">
      <pre class="said-text raw" tabIndex={0} role="group" aria-label={title}>
        <code {...untranslated}>{shown?.text}</code>
      </pre>
      {shown?.isLonger && <p class="hint">{view.catalog.recordings.longer}</p>}
    </div>
  );
}

function factsOf(
  { catalog: { recordings: texts }, formats }: AccountView,
  { contentType, bytes, base64Bytes, isCut }: ShownBody,
): string {
  return formats.list([
    contentType.split(";")[0],
    texts.size(formats.count(bytes)),
    ...base64Bytes ? [texts.base64(formats.count(base64Bytes))] : [],
    ...isCut ? [texts.cut] : [],
  ]);
}
