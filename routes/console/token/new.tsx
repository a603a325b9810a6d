import { A } from "../../../components/A.tsx";
import { FormAlert } from "../../../components/FormAlert.tsx";
import { Panel } from "../../../components/Panel.tsx";
import { keyFormTexts } from "../../../components/keys/CreateKeyAction.tsx";
import { KeyFields } from "../../../components/keys/KeyFields.tsx";
import { ConsolePage } from "../../../components/layout/ConsolePage.tsx";
import type { AuditContext } from "../../../lib/console/audit/audit.ts";
import { ownGroupIds } from "../../../lib/console/groups/account_groups.ts";
import { createKey } from "../../../lib/console/keys/key_changes.ts";
import {
  draftOf,
  type KeyFormFaults,
  type KeyFormValues,
  readKeyForm,
} from "../../../lib/console/keys/key_form.ts";
import { defineForm } from "../../../lib/console/page/define_form.ts";
import { seeOtherWith } from "../../../lib/console/page/flash.ts";
import { accountView } from "../../../lib/console/page/view.ts";
import { type AccountState, defineForAccount } from "../../../lib/console/session/state.ts";

interface NewKeyData {
  readonly groupIds: readonly string[];
  readonly values: KeyFormValues;
  readonly faults: KeyFormFaults;
}

type Created =
  | {
    readonly type: "created";
    readonly name: string;
    readonly secret: string;
  }
  | { readonly type: "invalid"; readonly faults: KeyFormFaults };

/** Creates a key. The page that the form or the dialog continues to shows the secret once. */
export const handler = defineForm<NewKeyData>({
  load: async ({ state }) => ({ groupIds: await ownGroupIds(state), values: {}, faults: {} }),

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
    const answer = await seeOtherWith(flash, "/console/token", state);
    return asData ? new Response(null, { status: 201, headers: answer.headers }) : answer;
  },
});

async function create(
  values: KeyFormValues,
  { groupIds }: NewKeyData,
  ctx: AuditContext,
): Promise<Created> {
  const { account, nowMs } = ctx.state;
  const result = draftOf(values, { accountId: account.user.id, groupIds, nowMs });
  if (result.type === "invalid") return result;
  const issued = await createKey(ctx, result.draft);
  if (typeof issued === "string") return { type: "invalid", faults: { name: issued } };
  return { type: "created", name: issued.apiKey.name, secret: issued.secret };
}

function wordsFor(faults: KeyFormFaults, { catalog }: AccountState) {
  const entries = Object.entries(faults).map(([field, fault]) => [field, catalog.keyFault[fault]]);
  return { problem: catalog.keyForm.problem, faults: Object.fromEntries(entries) };
}

export default defineForAccount.page<typeof handler>(({ data, state, url }) => {
  const view = accountView(state, url);
  const { keyForm } = view.catalog;
  const { problem, faults } = wordsFor(data.faults, state);
  return (
    <ConsolePage view={view} title={view.catalog.keys.title} place="keys">
      <Panel id="new-key" title={keyForm.title} class="form-panel">
        <form class="body fields" method="post" action="/console/token/new" noValidate>
          {Object.keys(faults).length > 0 && <FormAlert>{problem}</FormAlert>}
          <KeyFields
            texts={keyFormTexts(view)}
            groups={data.groupIds}
            values={data.values}
            faults={faults}
          />
          <div class="actions">
            <A class="button" href="/console/token">{keyForm.cancel}</A>
            <button class="button primary" type="submit">{keyForm.submit}</button>
          </div>
        </form>
      </Panel>
    </ConsolePage>
  );
});
