import { page } from "fresh";
import { BatchTable, type ListedBatch } from "../../../../components/BatchTable.tsx";
import { ConsolePage } from "../../../../components/ConsolePage.tsx";
import { Icon } from "../../../../components/Icon.tsx";
import { Empty } from "../../../../components/States.tsx";
import { loaded } from "../../../../lib/console/loaded.ts";
import { defineForAccount } from "../../../../lib/console/state.ts";
import { accountView } from "../../../../lib/console/view.ts";
import { listRedemptionBatches, listUsers, type Store } from "../../../../lib/store/mod.ts";

export const handler = defineForAccount.handlers({
  async GET({ state: { services: { store }, nowMs } }) {
    return page({ batches: await loaded(listedBatches(store, nowMs)) });
  },
});

async function listedBatches(store: Store, nowMs: number): Promise<ListedBatch[]> {
  const [batches, users] = await Promise.all([listRedemptionBatches(store), listUsers(store)]);
  const emails = new Map(users.map(({ id, email }) => [id, email]));
  return batches.map((batch) => ({
    ...batch,
    isExpired: batch.expiresAtMs !== undefined && batch.expiresAtMs <= nowMs,
    author: emails.get(batch.createdBy),
  }));
}

export default defineForAccount.page<typeof handler>(({ data: { batches }, state, url }) => {
  const view = accountView(state, url);
  const { codes: texts } = view.catalog;
  return (
    <ConsolePage
      view={view}
      title={texts.title}
      place="codes"
      action={
        <a class="button primary" href="/console/admin/codes/new" aria-current="false">
          <Icon name="plus" />
          {texts.create}
        </a>
      }
    >
      <section class="panel" aria-labelledby="batches">
        <header>
          <h2 id="batches">{texts.count(batches?.length ?? 0)}</h2>
        </header>
        {batches === undefined
          ? (
            <Empty icon="triangle-alert" title={texts.failed}>
              <a class="button" href={view.path} aria-current="false">{texts.retry}</a>
            </Empty>
          )
          : batches.length > 0
          ? <BatchTable view={view} batches={batches} />
          : <Empty icon="ticket" title={texts.empty} text={texts.emptyText} />}
      </section>
    </ConsolePage>
  );
});
