import { page } from "fresh";
import { A } from "../../../../../components/A.tsx";
import { Fact, Facts } from "../../../../../components/Facts.tsx";
import { BatchStatus } from "../../../../../components/wallet/BatchTable.tsx";
import { CodeTable } from "../../../../../components/wallet/CodeTable.tsx";
import { ConsolePage } from "../../../../../components/layout/ConsolePage.tsx";
import { Icon } from "../../../../../components/Icon.tsx";
import { Pager } from "../../../../../components/Pager.tsx";
import { Panel } from "../../../../../components/Panel.tsx";
import { batchAt, batchCodes } from "../../../../../lib/console/wallet/code_batches.ts";
import { pageRowsOf } from "../../../../../lib/console/page/page_rows.ts";
import { defineForAccount } from "../../../../../lib/console/session/state.ts";
import { type AccountView, accountView } from "../../../../../lib/console/page/view.ts";
import type { RedemptionBatch } from "../../../../../lib/store/money/mod.ts";
import Notice from "../../../../../islands/Notice.tsx";

/** One batch and its codes, as far as they are known. `?page=` goes on. */
export const handler = defineForAccount.handlers({
  async GET({ params, url: { searchParams }, state }) {
    const batch = await batchAt(params.id, state);
    const pageNumber = Number(/^[1-9]\d{0,4}$/.exec(searchParams.get("page") ?? "")?.[0] ?? 1);
    const { services, catalog: { codes: { done } } } = state;
    const known = Object.keys(done) as (keyof typeof done)[]; // its own keys
    return page({
      batch,
      pageNumber,
      done: known.find((one) => one === searchParams.get("done")),
      ...await batchCodes(services.store, batch.id, {
        page: pageNumber,
        pageRows: pageRowsOf(services),
      }),
    });
  },
});

export default defineForAccount.page<typeof handler>(({ data, state, url }) => {
  const view = accountView(state, url);
  const { codes: texts } = view.catalog;
  const { batch, pageNumber, codes, used, hasMore, done } = data;
  const path = `/console/admin/codes/${batch.id}`;
  return (
    <ConsolePage view={view} title={batch.name} place="codes">
      <A class="link back" href="/console/admin/codes">
        <Icon name="arrow-left" small />
        {texts.back}
      </A>
      {done && <Notice text={texts.done[done]} />}
      <BatchFacts view={view} batch={batch} used={used} nowMs={state.nowMs} />
      <Panel
        id="codes"
        title={texts.listCaption}
        end={<A class="link" href={`${path}/export`} download>{texts.exportCsv}</A>}
      >
        <CodeTable view={view} batch={batch} codes={codes} page={pageNumber} />
        <Pager
          texts={texts}
          newest={pageNumber > 1 ? path : undefined}
          older={hasMore ? `${path}?page=${pageNumber + 1}` : undefined}
        />
      </Panel>
    </ConsolePage>
  );
});

function BatchFacts(
  { view, batch, used, nowMs }: {
    view: AccountView;
    batch: RedemptionBatch;
    used: number;
    nowMs: number;
  },
) {
  const { catalog: { codes: texts }, formats } = view;
  const isExpired = batch.expiresAtMs !== undefined && batch.expiresAtMs <= nowMs;
  const path = `/console/admin/codes/${batch.id}/enabled`;
  const expires = batch.expiresAtMs === undefined ? texts.never : formats.utcDay(batch.expiresAtMs);
  const facts = [
    [texts.status, <BatchStatus key="status" view={view} batch={{ ...batch, isExpired }} />],
    [texts.amount, formats.price(batch.amountNanoUsd)],
    [texts.codes, formats.count(batch.count)],
    [texts.uses, formats.count(batch.usesMax)],
    [
      texts.perAccount,
      batch.perAccountMax === undefined ? texts.anyNumber : formats.count(batch.perAccountMax),
    ],
    [texts.used, texts.usedOf(formats.count(used), formats.count(batch.count * batch.usesMax))],
    [texts.expires, expires],
    [texts.created, formats.moment(batch.createdAtMs)],
  ] as const;
  return (
    <Panel
      id="facts"
      title={texts.facts}
      end={batch.enabled
        ? <A class="button" href={path}>{texts.disableBatch}</A>
        : (
          <form method="post" action={path}>
            <button class="button" type="submit" name="enabled" value="true">
              {texts.enableBatch}
            </button>
          </form>
        )}
    >
      <Facts class="body">
        {facts.map(([name, value]) => <Fact key={name} name={name}>{value}</Fact>)}
      </Facts>
    </Panel>
  );
}
