import { page } from "fresh";
import { ConsolePage } from "../../../components/layout/ConsolePage.tsx";
import { SearchHits } from "../../../components/search/SearchHits.tsx";
import { readRequestId } from "../../../lib/admin/calls.ts";
import { seeOther } from "../../../lib/console/page/address.ts";
import { accountPage } from "../../../lib/console/page/view.ts";
import { searchConsole } from "../../../lib/console/search/search.ts";
import { defineForAccount } from "../../../lib/console/session/state.ts";

const textMax = 100;

/** The search: a page, or JSON with fewer hits for the search field. A call's ID opens the call. */
export const handler = defineForAccount.handlers({
  async GET({ req, url, state }) {
    const text = (url.searchParams.get("q") ?? "").trim().slice(0, textMax);
    if (req.headers.get("accept") === "application/json") {
      return Response.json(await searchConsole({ state, text, most: 5 }));
    }
    const id = readRequestId(text);
    if (id) return seeOther(`/console/log/${id}`);
    return page({ text, groups: await searchConsole({ state, text, most: 20 }) });
  },
});

export default accountPage<typeof handler>(({ data: { text, groups }, view }) => {
  return (
    <ConsolePage view={view} title={view.catalog.search.title} place="search" query={text}>
      <SearchHits view={view} text={text} groups={groups} />
    </ConsolePage>
  );
});
