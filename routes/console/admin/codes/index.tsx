import { page } from "fresh";
import { CreateLink } from "../../../../components/A.tsx";
import { ConsolePage } from "../../../../components/layout/ConsolePage.tsx";
import { BatchPanel } from "../../../../components/wallet/BatchPanel.tsx";
import { readQuery } from "../../../../lib/console/page/define_list.ts";
import { tryLoad } from "../../../../lib/console/page/reading.ts";
import { accountPage } from "../../../../lib/console/page/view.ts";
import { defineForAccount } from "../../../../lib/console/session/state.ts";
import { batchList, readBatchList } from "../../../../lib/console/wallet/code_batches.ts";

/** All batches of redemption codes, as `batchList` selects them. */
export const handler = defineForAccount.handlers({
  async GET({ url, state }) {
    const query = readQuery(batchList, url.searchParams);
    return page({ query, list: await tryLoad(readBatchList(state, query)) });
  },
});

export default accountPage<typeof handler>(({ data: { query, list }, view }) => {
  const { codes: texts } = view.catalog;
  return (
    <ConsolePage
      view={view}
      title={texts.title}
      place="codes"
      action={<CreateLink href="/console/admin/codes/new">{texts.create}</CreateLink>}
    >
      <BatchPanel view={view} query={query} page={list} />
    </ConsolePage>
  );
});
