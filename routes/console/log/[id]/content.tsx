import { page } from "fresh";
import { CallCost, CallTokens } from "../../../../components/calls/CallFigures.tsx";
import { ContentMessages, ContentText } from "../../../../components/calls/CallContent.tsx";
import { ConsolePage } from "../../../../components/layout/ConsolePage.tsx";
import { EmptyPanel } from "../../../../components/Panel.tsx";
import { readContentPage, readContentText } from "../../../../lib/console/calls/content_page.ts";
import { accountPage } from "../../../../lib/console/page/view.ts";
import { defineForAccount } from "../../../../lib/console/session/state.ts";

/**
 * The recorded request and answer of a call. Reading another user's is written to the audit log. With
 * `?part=` one of the two as a text to download.
 */
export const handler = defineForAccount.handlers({
  async GET(ctx) {
    const { params: { id }, url } = ctx;
    const part = url.searchParams.get("part");
    if (part === "request" || part === "answer") {
      const { text } = await readContentText(id, part, ctx);
      return text ? download(text, `${id}-${part}.txt`) : new Response(null, { status: 404 });
    }
    const read = await readContentPage(id, ctx);
    const status = read.expiresAtMs === undefined ? 404 : 200;
    return page(read, { status, headers: { "cache-control": "no-store" } });
  },
});

/** A text of a stranger, which no browser shows as a page. */
function download(text: Uint8Array, name: string): Response {
  return new Response(text as BodyInit, { // sound: never a shared buffer
    headers: {
      "content-type": "text/plain; charset=utf-8",
      "content-disposition": `attachment; filename="${name}"`,
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    },
  });
}

export default accountPage<typeof handler>(({ data, view, url }) => {
  const { call, expiresAtMs, messages = [], request, answer } = data;
  const { recordings: texts } = view.catalog;
  return (
    <ConsolePage
      view={view}
      title={texts.title}
      place="log"
      up={{ href: `/console/log/${call.id}` }}
      split={expiresAtMs !== undefined}
    >
      {expiresAtMs === undefined
        ? <EmptyPanel icon="search" title={texts.gone} text={texts.goneText} />
        : (
          <>
            <div class="stack">
              <p class="hint">{texts.kept(view.formats.moment(expiresAtMs))}</p>
              <ContentMessages view={view} messages={messages} />
              <ContentText view={view} part="request" shown={request} path={url.pathname} />
              <ContentText view={view} part="answer" shown={answer} path={url.pathname} />
            </div>
            <aside class="stack">
              <CallCost view={view} call={call} />
              <CallTokens view={view} call={call} />
            </aside>
          </>
        )}
    </ConsolePage>
  );
});
