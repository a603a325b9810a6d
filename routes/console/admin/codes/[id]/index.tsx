import { page } from "fresh";
import { A } from "../../../../../components/A.tsx";
import { Form } from "../../../../../components/Form.tsx";
import { Panel } from "../../../../../components/Panel.tsx";
import { ConsolePage } from "../../../../../components/layout/ConsolePage.tsx";
import { Fact, Facts } from "../../../../../components/values.tsx";
import { BatchStatus } from "../../../../../components/wallet/BatchPanel.tsx";
import { CodePanel } from "../../../../../components/wallet/CodePanel.tsx";
import { readQuery } from "../../../../../lib/console/page/define_list.ts";
import { accountPage, type AccountView } from "../../../../../lib/console/page/view.ts";
import { defineForAccount } from "../../../../../lib/console/session/state.ts";
import { batchAt, batchCodes, codeList } from "../../../../../lib/console/wallet/code_batches.ts";
import type { RedemptionBatch } from "../../../../../lib/store/money/mod.ts";

/** One batch and a page of its codes. */
export const handler = defineForAccount.handlers({
  async GET({ params, url, state }) {
    const batch = await batchAt(params.id, state);
    const query = readQuery(codeList, url.searchParams, `${codeList.path}/${batch.id}`);
    return page({ batch, query, ...await batchCodes(state, batch.id, query) });
  },
});

export default accountPage<typeof handler>(({ data, state, view }) => {
  const { codes: texts } = view.catalog;
  const { batch, query, list, used } = data;
  return (
    <ConsolePage view={view} title={batch.name} place="codes" done={texts.done}>
      <BatchFacts view={view} batch={batch} used={used} nowMs={state.nowMs} />
      <CodePanel view={view} batch={batch} query={query} page={list} />
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
          <Form action={path}>
            <button class="button" type="submit" name="enabled" value="true">
              {texts.enableBatch}
            </button>
          </Form>
        )}
    >
      <Facts class="body">
        {facts.map(([name, value]) => <Fact key={name} name={name}>{value}</Fact>)}
      </Facts>
    </Panel>
  );
}
