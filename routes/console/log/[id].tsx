import { page } from "fresh";
import { CallCost } from "../../../components/CallCost.tsx";
import { CallFacts } from "../../../components/CallFacts.tsx";
import { CallTokens } from "../../../components/CallTokens.tsx";
import { CallTimeline } from "../../../components/CallTimeline.tsx";
import { ConsolePage } from "../../../components/ConsolePage.tsx";
import { Icon } from "../../../components/Icon.tsx";
import { RepeatCall } from "../../../components/RepeatCall.tsx";
import { Empty } from "../../../components/States.tsx";
import { Verdict } from "../../../components/Verdict.tsx";
import { readRequestId } from "../../../lib/console/request_id.ts";
import { defineForAccount } from "../../../lib/console/state.ts";
import { accountView } from "../../../lib/console/view.ts";
import { getRequestLog } from "../../../lib/store/mod.ts";

/** One call. Another account's is as unknown as one that never was. */
export const handler = defineForAccount.handlers({
  async GET({ params, state: { services: { store }, account } }) {
    const id = readRequestId(params.id);
    const found = id === undefined ? undefined : await getRequestLog(store, id);
    const call = found?.accountId === account.user.id ? found : undefined;
    return page({ call }, { status: call ? 200 : 404 });
  },
});

export default defineForAccount.page<typeof handler>(({ data: { call }, state, url }) => {
  const view = accountView(state, url);
  const { log, call: texts } = view.catalog;
  return (
    <ConsolePage
      view={view}
      title={call ? texts.title : log.notFound}
      place="usage"
      split={call !== undefined}
    >
      <a class="link across" href="/console/log" aria-current="false">
        <Icon name="arrow-left" small />
        {log.back}
      </a>
      {call
        ? (
          <>
            <div class="stack">
              <Verdict view={view} call={call} />
              <CallTimeline view={view} call={call} />
              <CallFacts view={view} call={call} />
              {call.operation === "generate" && (
                <RepeatCall view={view} call={call} origin={url.origin} />
              )}
            </div>
            <aside class="stack">
              <CallCost view={view} call={call} />
              <CallTokens view={view} call={call} />
            </aside>
          </>
        )
        : (
          <section class="panel">
            <Empty icon="search" heading="h2" title={log.notFound} text={log.notFoundText} />
          </section>
        )}
    </ConsolePage>
  );
});
