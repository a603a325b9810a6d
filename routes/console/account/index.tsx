import { page } from "fresh";
import { AccountPage } from "../../../components/account/AccountPage.tsx";
import {
  type AccountPageData,
  accountPageData,
} from "../../../lib/console/account/account_page.ts";
import { doneIn } from "../../../lib/console/page/define_form.ts";
import { accountView } from "../../../lib/console/page/view.ts";
import { defineForAccount } from "../../../lib/console/session/state.ts";

/** The user's own account. `?done=` names the last action. */
export const handler = defineForAccount.handlers({
  async GET(ctx) {
    const done = doneIn(ctx.url, ctx.state.catalog.security.done);
    return page<AccountPageData>({ ...await accountPageData(ctx), done });
  },
});

export default defineForAccount.page<typeof handler>(({ data, state, url }) => (
  <AccountPage view={accountView(state, url)} data={data} />
));
