import { page } from "fresh";
import { AccountPage } from "../../../components/account/AccountPage.tsx";
import {
  type AccountPageData,
  accountPageData,
} from "../../../lib/console/account/account_page.ts";
import { doneIn } from "../../../lib/console/page/address.ts";
import { accountPage } from "../../../lib/console/page/view.ts";
import { defineForAccount } from "../../../lib/console/session/state.ts";

/** The user's own account. `?done=` names the last action. */
export const handler = defineForAccount.handlers({
  async GET(ctx) {
    return page<AccountPageData>(await accountPageData(ctx));
  },
});

export default accountPage<typeof handler>(({ data, url, view }) => {
  return <AccountPage view={view} data={data} done={doneIn(url, view.catalog.security.done)} />;
});
