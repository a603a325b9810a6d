import { UserPage } from "../../../../../components/users/UserPage.tsx";
import { auditChanges, changesBetween } from "../../../../../lib/console/audit/audit.ts";
import { defineForm } from "../../../../../lib/console/page/define_form.ts";
import { doneIn } from "../../../../../lib/console/page/done_in.ts";
import { seeOther } from "../../../../../lib/console/page/see_other.ts";
import { accountView } from "../../../../../lib/console/page/view.ts";
import { defineForAccount } from "../../../../../lib/console/session/state.ts";
import {
  accountValues,
  periodOfField,
  readAccountForm,
  settingsOf,
} from "../../../../../lib/console/users/account_form.ts";
import {
  fixedFor,
  userAt,
  type UserPageData,
  userPageData,
} from "../../../../../lib/console/users/user_page.ts";
import { updateUser, type User } from "../../../../../lib/store/users/mod.ts";

/** One user, with a form for role, spending, budgets and limits. `?done=` names the last action. */
export const handler = defineForm<UserPageData>({
  load: async ({ params, state }) => await userPageData(await userAt(params.id, state), state),

  async submit(ctx, form, { again }) {
    const { params, state } = ctx;
    const user = await userAt(params.id, state);
    const values = readAccountForm(form);
    const result = settingsOf(values, user);
    if (result.type === "invalid") return await again({ values, faults: result.faults });
    const { settings } = result;
    if (settings.role !== "administrator" && fixedFor(user, state) !== undefined) {
      return await again({ values, faults: { role: "choice" } });
    }
    const change = (current: User) => ({ ...current, ...settings });
    const target = { targetId: user.id, targetName: user.email };
    const audit = auditChanges(ctx, { kind: "user", action: "changed", ...target }, wordsOf);
    const saved = await updateUser(state.services.store, user.id, change, { audit });
    const isChanged = saved && changesBetween(wordsOf(user), wordsOf(saved)).length > 0;
    return seeOther(`/console/admin/users/${user.id}?done=${isChanged ? "saved" : "unchanged"}`);
  },
});

function wordsOf(user: User): Record<string, string | undefined> {
  const words = Object.entries(accountValues(user)).filter(([, text]) => text !== "");
  return Object.fromEntries(words.map(([field, text]) => [
    field,
    Object.hasOwn(periodOfField, field) ? `$${text}` : text,
  ]));
}

export default defineForAccount.page<typeof handler>(({ data, state, url }) => {
  const view = accountView(state, url);
  return <UserPage view={view} data={data} done={doneIn(url, view.catalog.users.done)} />;
});
