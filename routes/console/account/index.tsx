import { page } from "fresh";
import { AccountPage } from "../../../components/account/AccountPage.tsx";
import {
  type AccountPageData,
  accountPageData,
} from "../../../lib/console/account/account_page.ts";
import { defineForAccount } from "../../../lib/console/session/state.ts";
import { accountView } from "../../../lib/console/page/view.ts";

/** The user's own account. `?done=` names the last action. */
export const handler = defineForAccount.handlers({
  async GET(ctx) {
    const { done } = ctx.state.catalog.security;
    const wanted = ctx.url.searchParams.get("done");
    const known = Object.keys(done) as (keyof typeof done)[]; // its own keys
    const data = await accountPageData(ctx);
    return page<AccountPageData>({ ...data, done: known.find((one) => one === wanted) });
  },
});

export default defineForAccount.page<typeof handler>(({ data, state, url }) => (
  <AccountPage view={accountView(state, url)} data={data} />
));
