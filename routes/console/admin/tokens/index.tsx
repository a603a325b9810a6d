import { page } from "fresh";
import { CreateLink } from "../../../../components/A.tsx";
import { ConsolePage } from "../../../../components/layout/ConsolePage.tsx";
import { TokenPanel } from "../../../../components/tokens/TokenPanel.tsx";
import { readQuery } from "../../../../lib/console/page/define_list.ts";
import { tryLoad } from "../../../../lib/console/page/reading.ts";
import { accountPage } from "../../../../lib/console/page/view.ts";
import { defineForAccount } from "../../../../lib/console/session/state.ts";
import { readTokenList, tokenList } from "../../../../lib/console/tokens/token_list.ts";

/** The tokens of the management API. */
export const handler = defineForAccount.handlers({
  async GET({ url: { searchParams }, state }) {
    const query = readQuery(tokenList, searchParams);
    return page({ query, list: await tryLoad(readTokenList(state, query)) });
  },
});

export default accountPage<typeof handler>(({ data, view }) => {
  const { tokens: texts } = view.catalog;
  return (
    <ConsolePage
      view={view}
      title={texts.title}
      place="tokens"
      action={<CreateLink href="/console/admin/tokens/new">{texts.add}</CreateLink>}
      done={texts.done}
    >
      <p class="soft">{texts.text}</p>
      <TokenPanel view={view} query={data.query} page={data.list} />
    </ConsolePage>
  );
});
