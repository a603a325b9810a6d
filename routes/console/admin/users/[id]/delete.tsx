import { FormAlert, TextField } from "../../../../../components/controls.tsx";
import { ConsolePage } from "../../../../../components/layout/ConsolePage.tsx";
import { Question } from "../../../../../components/layout/QuestionPage.tsx";
import { deleteAccount } from "../../../../../lib/admin/users.ts";
import { seeOther } from "../../../../../lib/console/page/address.ts";
import { defineForm } from "../../../../../lib/console/page/form.ts";
import { accountPage } from "../../../../../lib/console/page/view.ts";
import { changeableUser } from "../../../../../lib/console/users/user_page.ts";
import { listApiKeys } from "../../../../../lib/store/api_keys/mod.ts";
import { balanceOf } from "../../../../../lib/store/money/mod.ts";
import type { User } from "../../../../../lib/store/users/mod.ts";

interface DeleteData {
  readonly user: User;
  readonly keys: number;
  readonly balanceNanoUsd: bigint;
  /** The typed text, if it is not the user's address. */
  readonly mistyped?: string;
}

/** Deletes a user after the address is typed as confirmation, since it cannot be undone. */
export const handler = defineForm<DeleteData>({
  async load({ params, state, state: { services: { store } } }) {
    const user = await changeableUser(params.id, state);
    const [keys, balanceNanoUsd] = await Promise.all([
      listApiKeys(store, { accountId: user.id }),
      balanceOf(store, user.id),
    ]);
    return { user, keys: keys.length, balanceNanoUsd };
  },

  async submit(ctx, form, { load, again }) {
    const { user } = await load();
    const typed = (form.get("email") ?? "").trim().slice(0, 300);
    if (typed.toLowerCase() !== user.email) return await again({ mistyped: typed });
    await deleteAccount(ctx, user);
    return seeOther("/console/admin/users?done=deleted");
  },
});

export default accountPage<typeof handler>(({ data, view }) => {
  const { catalog: { users: texts }, formats } = view;
  const { user, keys, balanceNanoUsd, mistyped } = data;
  const isMistyped = mistyped !== undefined;
  return (
    <ConsolePage view={view} title={texts.title} place="users">
      <Question
        class="inside fields"
        noValidate
        id="delete"
        title={texts.deleteTitle(user.email)}
        back={`/console/admin/users/${user.id}`}
        cancel={texts.cancel}
        confirm={texts.deleteConfirm(user.email)}
      >
        {isMistyped && <FormAlert>{texts.deleteProblem}</FormAlert>}
        <p>
          {texts.deleteText(keys)}
          {balanceNanoUsd > 0n && ` ${texts.deleteForfeits(formats.money(balanceNanoUsd))}`}
        </p>
        <p class="soft">{texts.deleteStays}</p>
        <TextField
          name="email"
          label={texts.deleteType(user.email)}
          fault={isMistyped ? texts.deleteMistyped : undefined}
          spellcheck={false}
          value={mistyped}
        />
      </Question>
    </ConsolePage>
  );
});
