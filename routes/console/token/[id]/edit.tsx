import { page } from "fresh";
import { A } from "../../../../components/A.tsx";
import { ConsolePage } from "../../../../components/layout/ConsolePage.tsx";
import { FormAlert } from "../../../../components/Field.tsx";
import { keyFormTexts } from "../../../../components/keys/CreateKeyAction.tsx";
import { KeyFields } from "../../../../components/keys/KeyFields.tsx";
import { Panel } from "../../../../components/Panel.tsx";
import { groupsOf } from "../../../../lib/console/groups/account_groups.ts";
import { auditChanges } from "../../../../lib/console/audit/audit.ts";
import { writeFlash } from "../../../../lib/console/page/flash.ts";
import { readForm } from "../../../../lib/console/page/form_body.ts";
import { edited, editOf, valuesOf, wordsOf } from "../../../../lib/console/keys/key_edit.ts";
import {
  type KeyFormFaults,
  type KeyFormValues,
  readKeyForm,
} from "../../../../lib/console/keys/key_form.ts";
import { ownKey } from "../../../../lib/console/keys/own_key.ts";
import { type AccountState, defineForAccount } from "../../../../lib/console/session/state.ts";
import { accountView } from "../../../../lib/console/page/view.ts";
import { StoreError } from "../../../../lib/store/mod.ts";
import { type ApiKey, listApiKeys, updateApiKey } from "../../../../lib/store/api_keys/mod.ts";
import type { Audit } from "../../../../lib/store/audit/mod.ts";

interface EditData {
  readonly name: string;
  readonly groupIds: readonly string[];
  readonly values: KeyFormValues;
  readonly faults: KeyFormFaults;
}

/** Changes a key's settings; its secret, its history and its enabled state stay unchanged. */
export const handler = defineForAccount.handlers({
  async GET({ params, state }) {
    const apiKey = await ownKey(params.id, state);
    const groupIds = await groupIdsFor(state);
    return page<EditData>({ name: apiKey.name, groupIds, values: valuesOf(apiKey), faults: {} });
  },

  async POST(ctx) {
    const { req, params, state } = ctx;
    const { services: { store }, account } = state;
    const values = readKeyForm(await readForm(req));
    const apiKey = await ownKey(params.id, state);
    const groupIds = await groupIdsFor(state);
    const target = { targetId: apiKey.id, targetName: apiKey.name };
    const audit = auditChanges(ctx, { kind: "key", action: "changed", ...target }, wordsOf);
    const { saved, faults } = await save(values, apiKey, { groupIds, state, audit });
    if (faults) {
      return page<EditData>({ name: apiKey.name, groupIds, values, faults }, { status: 422 });
    }
    const headers = new Headers({ location: "/console/token" });
    const flash = saved
      ? { type: "key-changed", name: saved.name } as const
      : { type: "key-gone" } as const;
    await writeFlash(headers, flash, { store, sessionDigest: account.session.digest });
    return new Response(null, { status: 303, headers });
  },
});

/** Returns the updated key or the form's faults, or neither if the key no longer exists. */
async function save(
  values: KeyFormValues,
  apiKey: ApiKey,
  { groupIds, state, audit }: {
    readonly groupIds: readonly string[];
    readonly state: AccountState;
    readonly audit: Audit<ApiKey>;
  },
): Promise<{ readonly saved?: ApiKey; readonly faults?: KeyFormFaults }> {
  const { services: { store }, nowMs } = state;
  const result = editOf(values, apiKey, { groupIds, nowMs });
  if (result.type === "invalid") return { faults: result.faults };
  try {
    const { draft } = result;
    const change = (current: ApiKey) => edited(current, draft);
    return { saved: await updateApiKey(store, apiKey.id, change, { audit }) };
  } catch (error) {
    if (!(error instanceof StoreError) || error.code !== "already_exists") throw error;
    return { faults: { name: "nameTaken" } };
  }
}

async function groupIdsFor(
  { services: { store, directory }, account: { user } }: AccountState,
): Promise<string[]> {
  const keys = await listApiKeys(store, { accountId: user.id });
  return groupsOf(user, keys, directory).map(({ id }) => id);
}

export default defineForAccount.page<typeof handler>(({ data, state, url }) => {
  const view = accountView(state, url);
  const { keys, keyForm, keyPage, keyFault } = view.catalog;
  const faults = Object.fromEntries(
    Object.entries(data.faults).map(([field, fault]) => [field, keyFault[fault]]),
  );
  return (
    <ConsolePage view={view} title={keys.title} place="keys">
      <Panel id="edit-key" title={keyPage.editTitle(data.name)} class="form-panel">
        <form class="body fields" method="post" noValidate>
          {Object.keys(faults).length > 0 && <FormAlert>{keyPage.problem}</FormAlert>}
          <KeyFields
            texts={keyFormTexts(view)}
            groups={data.groupIds}
            values={data.values}
            faults={faults}
            open
          />
          <div class="actions">
            <A class="button" href="/console/token">{keyForm.cancel}</A>
            <button class="button primary" type="submit">{keyPage.save}</button>
          </div>
        </form>
      </Panel>
    </ConsolePage>
  );
});
