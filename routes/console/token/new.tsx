import { A } from "../../../components/A.tsx";
import { Panel } from "../../../components/Panel.tsx";
import { FormAlert } from "../../../components/controls.tsx";
import { keyFormTexts } from "../../../components/keys/CreateKeyAction.tsx";
import { KeyFields } from "../../../components/keys/KeyFields.tsx";
import { ConsolePage } from "../../../components/layout/ConsolePage.tsx";
import { may } from "../../../lib/accounts/mod.ts";
import type { AuditContext } from "../../../lib/admin/audit.ts";
import { faultSentences } from "../../../lib/admin/fault_text.ts";
import { createKey } from "../../../lib/admin/keys/key_changes.ts";
import { ownGroupIds } from "../../../lib/console/groups/account_groups.ts";
import {
  type KeyFormFaults,
  type KeyFormValues,
  newKeyDraft,
  readKeyForm,
} from "../../../lib/console/keys/key_form.ts";
import { seeOtherWith } from "../../../lib/console/page/flash.ts";
import { defineForm } from "../../../lib/console/page/form.ts";
import { accountPage } from "../../../lib/console/page/view.ts";
import type { AccountState } from "../../../lib/console/session/state.ts";
import { userAt } from "../../../lib/console/users/user_page.ts";
import type { User } from "../../../lib/store/users/mod.ts";

interface NewKeyData {
  /** The account of the key: the reader's, or for administrators the one in `?user=`. */
  readonly owner: Owner;
  readonly groupIds: readonly string[];
  readonly values: KeyFormValues;
  readonly faults: KeyFormFaults;
}

type Owner = Pick<User, "id" | "email">;

const keysPath = "/console/token";

type Created =
  | {
    readonly type: "created";
    readonly name: string;
    readonly secret: string;
  }
  | { readonly type: "invalid"; readonly faults: KeyFormFaults };

/** Creates a key. The page that the form or the dialog continues to shows the secret once. */
export const handler = defineForm<NewKeyData>({
  load: async ({ state, url }) => ({
    owner: await ownerIn(url, state),
    groupIds: await ownGroupIds(state),
    values: {},
    faults: {},
  }),

  async submit(ctx, form, { load, again }) {
    const { req, state } = ctx;
    const values = readKeyForm(form);
    const result = await create(values, await load(), ctx);
    const asData = req.headers.get("accept") === "application/json";
    if (result.type === "invalid") {
      const { faults } = result;
      if (!asData) return await again({ values, faults });
      return Response.json(wordsFor(faults, state), { status: 422 });
    }
    const { name, secret } = result;
    const flash = { type: "key-created", name, secret } as const;
    const answer = await seeOtherWith(flash, listOf((await load()).owner, state), state);
    return asData ? new Response(null, { status: 201, headers: answer.headers }) : answer;
  },
});

async function create(
  values: KeyFormValues,
  { owner, groupIds }: NewKeyData,
  ctx: AuditContext,
): Promise<Created> {
  const { nowMs } = ctx.state;
  const result = newKeyDraft(values, { accountId: owner.id, groupIds, nowMs });
  if (result.type === "invalid") return result;
  const issued = await createKey(ctx, result.draft);
  if (typeof issued === "string") return { type: "invalid", faults: { name: issued } };
  return { type: "created", name: issued.apiKey.name, secret: issued.secret };
}

async function ownerIn(url: URL, state: AccountState): Promise<Owner> {
  const id = url.searchParams.get("user");
  const { user } = state.account;
  if (id === null || !may(user, "keys:write")) return user;
  return await userAt(id, state);
}

/** The list that has the new key. */
function listOf({ id }: Owner, { account: { user } }: AccountState): string {
  return id === user.id ? keysPath : `${keysPath}?who=everyone&owner=${id}`;
}

function wordsFor(faults: KeyFormFaults, { catalog }: AccountState) {
  return { problem: catalog.keyForm.problem, faults: faultSentences(faults, catalog.faults.key) };
}

export default accountPage<typeof handler>(({ data, state, view }) => {
  const { keyForm, users } = view.catalog;
  const { problem, faults } = wordsFor(data.faults, state);
  const { id, email } = data.owner;
  const isOwn = id === state.account.user.id;
  return (
    <ConsolePage view={view} title={view.catalog.keys.title} place="keys">
      <Panel
        id="new-key"
        title={isOwn ? keyForm.title : users.createKeyFor(email)}
        class="form-panel"
      >
        <form
          class="body fields"
          method="post"
          action={isOwn ? `${keysPath}/new` : `${keysPath}/new?user=${id}`}
          noValidate
        >
          {Object.keys(faults).length > 0 && <FormAlert>{problem}</FormAlert>}
          <KeyFields
            texts={keyFormTexts(view)}
            groups={data.groupIds}
            values={data.values}
            faults={faults}
          />
          <div class="actions">
            <A class="button" href={listOf(data.owner, state)}>{keyForm.cancel}</A>
            <button class="button primary" type="submit">{keyForm.submit}</button>
          </div>
        </form>
      </Panel>
    </ConsolePage>
  );
});
