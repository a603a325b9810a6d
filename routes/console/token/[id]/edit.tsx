import { A } from "../../../../components/A.tsx";
import { Panel } from "../../../../components/Panel.tsx";
import { FormAlert } from "../../../../components/controls.tsx";
import { keyFormTexts } from "../../../../components/keys/CreateKeyAction.tsx";
import { KeyFields } from "../../../../components/keys/KeyFields.tsx";
import { ConsolePage } from "../../../../components/layout/ConsolePage.tsx";
import { faultSentences } from "../../../../lib/admin/fault_text.ts";
import { changeKey } from "../../../../lib/admin/keys/key_changes.ts";
import { ownGroupIds } from "../../../../lib/console/groups/account_groups.ts";
import {
  changedKeyDraft,
  type KeyFormFaults,
  type KeyFormValues,
  keyFormValues,
  readKeyForm,
  withDraft,
} from "../../../../lib/console/keys/key_form.ts";
import { changeableKey } from "../../../../lib/console/keys/own_key.ts";
import { seeOtherWith } from "../../../../lib/console/page/flash.ts";
import { defineForm } from "../../../../lib/console/page/form.ts";
import { accountPage } from "../../../../lib/console/page/view.ts";
import type { ApiKey } from "../../../../lib/store/api_keys/mod.ts";

interface EditData {
  readonly apiKey: ApiKey;
  readonly groupIds: readonly string[];
  readonly values: KeyFormValues;
  readonly faults: KeyFormFaults;
}

/** Changes a key's settings; its secret, its history and its enabled state stay unchanged. */
export const handler = defineForm<EditData>({
  async load({ params, state }) {
    const apiKey = await changeableKey(params.id, state);
    const groupIds = await ownGroupIds(state);
    return { apiKey, groupIds, values: keyFormValues(apiKey), faults: {} };
  },

  async submit(ctx, form, { load, again }) {
    const { state, state: { nowMs } } = ctx;
    const { apiKey, groupIds } = await load();
    const values = readKeyForm(form);
    const result = changedKeyDraft(values, apiKey, { groupIds, nowMs });
    if (result.type === "invalid") return await again({ values, faults: result.faults });
    const saved = await changeKey(ctx, apiKey, (current) => withDraft(current, result.draft));
    if (saved === "taken") return await again({ values, faults: { name: "nameTaken" } });
    const flash = saved
      ? { type: "key-changed", name: saved.name } as const
      : { type: "key-gone" } as const;
    return await seeOtherWith(flash, "/console/token", state);
  },
});

export default accountPage<typeof handler>(({ data, view }) => {
  const { keys, keyForm, keyPage } = view.catalog;
  const faults = faultSentences(data.faults, view.catalog.faults.key);
  return (
    <ConsolePage view={view} title={keys.title} place="keys">
      <Panel id="edit-key" title={keyPage.editTitle(data.apiKey.name)} class="form-panel">
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
