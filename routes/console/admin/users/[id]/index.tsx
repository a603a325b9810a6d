import { page } from "fresh";
import { UserPage } from "../../../../../components/users/UserPage.tsx";
import {
  accountValues,
  periodOfField,
  readAccountForm,
  settingsOf,
} from "../../../../../lib/console/users/account_form.ts";
import { auditChanges, changesBetween } from "../../../../../lib/console/audit/audit.ts";
import { readForm } from "../../../../../lib/console/page/form_body.ts";
import { defineForAccount } from "../../../../../lib/console/session/state.ts";
import {
  fixedFor,
  userAt,
  type UserPageData,
  userPageData,
} from "../../../../../lib/console/users/user_page.ts";
import { accountView } from "../../../../../lib/console/page/view.ts";
import { updateUser, type User } from "../../../../../lib/store/users/mod.ts";

/** One user, with a form for role, spending, budgets and limits. `?done=` names the last action. */
export const handler = defineForAccount.handlers({
  async GET({ params, url, state }) {
    const user = await userAt(params.id, state);
    const { done } = state.catalog.users;
    const wanted = url.searchParams.get("done") ?? "";
    const known = Object.keys(done) as (keyof typeof done)[]; // its own keys
    const data = await userPageData(user, state);
    return page<UserPageData>({ ...data, done: known.find((one) => one === wanted) });
  },

  async POST(ctx) {
    const { req, params, state } = ctx;
    const user = await userAt(params.id, state);
    const values = readAccountForm(await readForm(req));
    const result = settingsOf(values, user);
    const isDemoted = result.type === "valid" && result.settings.role !== "administrator" &&
      fixedFor(user, state) !== undefined;
    if (result.type === "invalid" || isDemoted) {
      const faults = result.type === "invalid" ? result.faults : { role: "choice" as const };
      const data = await userPageData(user, state);
      return page<UserPageData>({ ...data, values, faults }, { status: 422 });
    }
    const { settings } = result;
    const change = (current: User) => ({ ...current, ...settings });
    const target = { targetId: user.id, targetName: user.email };
    const audit = auditChanges(ctx, { kind: "user", action: "changed", ...target }, wordsOf);
    const saved = await updateUser(state.services.store, user.id, change, { audit });
    const isChanged = saved && changesBetween(wordsOf(user), wordsOf(saved)).length > 0;
    const done = isChanged ? "saved" : "unchanged";
    const location = `/console/admin/users/${user.id}?done=${done}`;
    return new Response(null, { status: 303, headers: { location } });
  },
});

function wordsOf(user: User): Record<string, string | undefined> {
  const words = Object.entries(accountValues(user)).filter(([, text]) => text !== "");
  return Object.fromEntries(words.map(([field, text]) => [
    field,
    Object.hasOwn(periodOfField, field) ? `$${text}` : text,
  ]));
}

export default defineForAccount.page<typeof handler>(({ data, state, url }) => (
  <UserPage view={accountView(state, url)} data={data} />
));
