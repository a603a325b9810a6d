import { UserPage } from "../../../../../components/users/UserPage.tsx";
import { changesBetween } from "../../../../../lib/admin/audit.ts";
import { changeUser, fixedFor, userWords } from "../../../../../lib/admin/users.ts";
import { doneIn, seeOther } from "../../../../../lib/console/page/address.ts";
import { defineForm } from "../../../../../lib/console/page/form.ts";
import { longestPeriod, readPeriod } from "../../../../../lib/console/page/period.ts";
import { accountPage } from "../../../../../lib/console/page/view.ts";
import { readAccountForm, settingsOf } from "../../../../../lib/console/users/account_form.ts";
import {
  userAt,
  type UserPageData,
  userPageData,
} from "../../../../../lib/console/users/user_page.ts";

/** One user and the usage of `?period=`, with a form for role, spending, budgets and limits. `?done=` names the last action. */
export const handler = defineForm<UserPageData>({
  async load({ params, state, url }) {
    const span = readPeriod(url.searchParams, longestPeriod, state);
    return await userPageData(await userAt(params.id, state), state, span);
  },
  showsFlash: () => true,

  async submit(ctx, form, { again }) {
    const { params, state } = ctx;
    const user = await userAt(params.id, state);
    const values = readAccountForm(form);
    const result = settingsOf(values, user);
    if (result.type === "invalid") return await again({ values, faults: result.faults });
    const { settings } = result;
    if (settings.role !== user.role && fixedFor(user, state) !== undefined) {
      return await again({ values, faults: { role: "choice" } });
    }
    const saved = await changeUser(ctx, user, (current) => ({ ...current, ...settings }));
    const isChanged = saved && changesBetween(userWords(user), userWords(saved)).length > 0;
    return seeOther(`/console/admin/users/${user.id}?done=${isChanged ? "saved" : "unchanged"}`);
  },
});

export default accountPage<typeof handler>(({ data, url, view }) => {
  return <UserPage view={view} data={data} done={doneIn(url, view.catalog.users.done)} />;
});
