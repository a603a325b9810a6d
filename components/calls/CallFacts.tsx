import { endpointName } from "../../lib/console/calls/called_endpoints.ts";
import type { AccountView, RequestLogRow } from "../../lib/console/page/view.ts";
import { CopyButton } from "../CopyButton.tsx";
import { Fact, Facts } from "../Facts.tsx";
import { Panel } from "../Panel.tsx";
import { Time } from "../Time.tsx";
import { untranslated } from "../untranslated.ts";

/** Everything that the log records about a call except its tokens. */
export function CallFacts(
  { view, call, account }: {
    view: AccountView;
    call: RequestLogRow;
    /** The e-mail address of the call's account, if that is not the reader's own. */
    account?: string;
  },
) {
  const { catalog: { audit, call: texts, copy, log, logPage, units }, formats } = view;
  return (
    <Panel id="facts" title={texts.facts}>
      <Facts class="body">
        <Fact name={log.request}>
          <span class="id-line">
            <code {...untranslated}>{call.id}</code>
            <CopyButton text={call.id} label={texts.copyId} texts={copy} isLoaded />
          </span>
        </Fact>
        <Fact name={texts.time}>
          <Time atMs={call.atMs} formats={formats} as="moment" />
          <span class="faint">{` · ${formats.utc(call.atMs)}`}</span>
        </Fact>
        <Fact name={texts.status}>{call.status}</Fact>
        <Fact name={texts.errorCode}>
          {call.errorCode && <code {...untranslated}>{call.errorCode}</code>}
        </Fact>
        <Fact name={texts.model}>
          <span {...untranslated}>{call.model}</span>
          {call.upstreamModel && call.upstreamModel !== call.model && (
            <span class="soft">{`, ${texts.upstreamModel(call.upstreamModel)}`}</span>
          )}
        </Fact>
        <Fact name={logPage.account}>{account}</Fact>
        <Fact name={texts.key}>{call.keyName}</Fact>
        <Fact name={texts.group}>{call.groupId}</Fact>
        <Fact name={audit.fields.project}>{call.projectId}</Fact>
        <Fact name={texts.endpoint}>{endpointName(view.catalog, call)}</Fact>
        <Fact name={texts.upstreamFormat}>
          {call.upstreamFormat && units.formats[call.upstreamFormat]}
        </Fact>
        <Fact name={texts.stream}>{call.stream ? texts.yes : texts.no}</Fact>
        <Fact name={texts.firstByte}>
          {call.firstByteMs !== undefined && formats.span(call.firstByteMs)}
        </Fact>
        <Fact name={texts.duration}>{formats.span(call.durationMs)}</Fact>
        <Fact name={logPage.tag}>{call.tag}</Fact>
        <Fact name={logPage.tags}>{call.tags?.join(", ")}</Fact>
        <Fact name={texts.userAgent}>{call.userAgent}</Fact>
        <Fact name={texts.ip}>{call.ip}</Fact>
      </Facts>
    </Panel>
  );
}
