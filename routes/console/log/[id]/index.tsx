import { page } from "fresh";
import { EmptyPanel } from "../../../../components/Panel.tsx";
import { ContentPanel } from "../../../../components/calls/CallContent.tsx";
import {
  CallDetails,
  CallFacts,
  CallReceived,
  RepeatCall,
} from "../../../../components/calls/CallFacts.tsx";
import { CallCost, CallFigures, CallTokens } from "../../../../components/calls/CallFigures.tsx";
import { CallTimeline } from "../../../../components/calls/CallTimeline.tsx";
import {
  CallVerdict,
  FallbackNotice,
  SameFailure,
} from "../../../../components/calls/CallVerdict.tsx";
import { ConsolePage } from "../../../../components/layout/ConsolePage.tsx";
import { readCallPage } from "../../../../lib/console/calls/call_page.ts";
import { localPath, publicOrigin } from "../../../../lib/console/page/address.ts";
import { takeFlash } from "../../../../lib/console/page/flash.ts";
import { accountPage } from "../../../../lib/console/page/view.ts";
import { defineForAccount } from "../../../../lib/console/session/state.ts";

const dayMs = 86_400_000;

/** One call. Only administrators see other accounts' calls; for anyone else they do not exist. */
export const handler = defineForAccount.handlers({
  async GET({ req, params, url, state }) {
    const { archive: place, store } = state.services;
    const linkOf = () => publicOrigin({ state, req, url }) + url.pathname;
    const read = await readCallPage(params.id, { state, linkOf });
    const keptDays = place ? undefined : Math.round(store.logRetentionMs / dayMs);
    const back = listBehind(req, url);
    const headers = new Headers();
    const flash = await takeFlash(req, headers, state);
    const status = read.call ? 200 : read.isUnreadable ? 503 : 404;
    return page({ ...read, keptDays, back, flash }, { status, headers });
  },
});

export default accountPage<typeof handler>(({ data, url, view }) => {
  const { call, account, failed, content, keptDays, back, flash, isUnreadable } = data;
  const { log, logPage } = view.catalog;
  const missing = isUnreadable
    ? logPage.archiveUnreadable
    : { title: log.notFound, text: logPage.unknownId(keptDays) };
  return (
    <ConsolePage
      view={view}
      title={call ? `${call.model}, ${view.formats.moment(call.atMs)}` : missing.title}
      place="log"
      up={{ href: back }}
      split={call !== undefined}
    >
      {call
        ? (
          <>
            <FallbackNotice view={view} flash={flash} />
            <CallVerdict view={view} call={call} {...failed} />
            <CallFigures view={view} call={call} />
            <div class="stack">
              <CallTimeline view={view} call={call} untried={failed.untried} />
              {content && <ContentPanel view={view} id={call.id} content={content} />}
              <CallReceived view={view} call={call} />
              {call.operation === "generate" && (
                <RepeatCall view={view} call={call} origin={url.origin} />
              )}
              <CallDetails view={view} call={call} />
            </div>
            <aside class="stack">
              {failed.same && <SameFailure view={view} call={call} same={failed.same} />}
              <CallFacts view={view} call={call} account={account} />
              <CallCost view={view} call={call} />
              <CallTokens view={view} call={call} />
            </aside>
          </>
        )
        : <EmptyPanel icon="search" {...missing} />}
    </ConsolePage>
  );
});

/** The URL of the list that the reader came from, with its filters, or else of the whole log. */
function listBehind({ headers }: Request, { origin }: URL): string {
  const from = URL.parse(headers.get("referer") ?? "");
  const isList = from?.origin === origin && from.pathname === "/console/log";
  return isList ? localPath(from.pathname + from.search, "/console/log") : "/console/log";
}
