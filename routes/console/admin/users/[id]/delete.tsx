import { HttpError, page } from "fresh";
import { A } from "../../../../../components/A.tsx";
import { ConsolePage } from "../../../../../components/layout/ConsolePage.tsx";
import { described, Field, FormAlert } from "../../../../../components/Field.tsx";
import { removeUser } from "../../../../../lib/accounts/mod.ts";
import { auditEntry } from "../../../../../lib/console/audit/audit.ts";
import { readForm } from "../../../../../lib/console/page/form_body.ts";
import { type AccountState, defineForAccount } from "../../../../../lib/console/session/state.ts";
import { fixedFor, userAt } from "../../../../../lib/console/users/user_page.ts";
import { accountView } from "../../../../../lib/console/page/view.ts";
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
export const handler = defineForAccount.handlers({
  async GET({ params, state }) {
    return page<DeleteData>(await dataOf(params.id, state));
  },

  async POST(ctx) {
    const { req, params, state } = ctx;
    const data = await dataOf(params.id, state);
    const { id, email } = data.user;
    const typed = ((await readForm(req)).get("email") ?? "").trim().slice(0, 300);
    if (typed.toLowerCase() !== email) {
      return page<DeleteData>({ ...data, mistyped: typed }, { status: 422 });
    }
    const facts = { kind: "user", action: "deleted", targetId: id, targetName: email } as const;
    await removeUser(state.services.store, id, { audit: auditEntry(ctx, facts) });
    const location = "/console/admin/users?done=deleted";
    return new Response(null, { status: 303, headers: { location } });
  },
});

async function dataOf(id: string, state: AccountState): Promise<DeleteData> {
  const user = await userAt(id, state);
  if (fixedFor(user, state)) throw new HttpError(404);
  const { store } = state.services;
  const [keys, balanceNanoUsd] = await Promise.all([
    listApiKeys(store, { accountId: user.id }),
    balanceOf(store, user.id),
  ]);
  return { user, keys: keys.length, balanceNanoUsd };
}

export default defineForAccount.page<typeof handler>(({ data, state, url }) => {
  const view = accountView(state, url);
  const { catalog: { users: texts }, formats } = view;
  const { user, keys, balanceNanoUsd, mistyped } = data;
  const isMistyped = mistyped !== undefined;
  const about = { id: "email", fault: isMistyped ? texts.deleteMistyped : undefined };
  return (
    <ConsolePage view={view} title={texts.title} place="users">
      <section class="card" aria-labelledby="delete">
        <form class="inside fields" method="post" noValidate>
          <h2 id="delete">{texts.deleteTitle(user.email)}</h2>
          {isMistyped && <FormAlert>{texts.deleteProblem}</FormAlert>}
          <p>{texts.deleteText(keys, formats.money(balanceNanoUsd))}</p>
          <p class="soft">{texts.deleteStays}</p>
          <Field {...about} label={texts.deleteType(user.email)}>
            <input
              {...described(about)}
              class="input"
              name="email"
              autocomplete="off"
              spellcheck={false}
              value={mistyped}
            />
          </Field>
          <div class="actions">
            <A class="button" href={`/console/admin/users/${user.id}`}>{texts.cancel}</A>
            <button class="button danger" type="submit">{texts.deleteConfirm(user.email)}</button>
          </div>
        </form>
      </section>
    </ConsolePage>
  );
});
