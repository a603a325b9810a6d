import { page } from "fresh";
import { Question } from "../../../components/Question.tsx";
import { ConsolePage } from "../../../components/layout/ConsolePage.tsx";
import { bulkActions, changeKeys, chosenKeys } from "../../../lib/console/keys/key_bulk.ts";
import { type Flash, seeOtherWith } from "../../../lib/console/page/flash.ts";
import { readForm } from "../../../lib/console/page/form_body.ts";
import { localPath } from "../../../lib/console/page/local_path.ts";
import { seeOther } from "../../../lib/console/page/see_other.ts";
import { accountView } from "../../../lib/console/page/view.ts";
import { defineForAccount } from "../../../lib/console/session/state.ts";
import type { ApiKey } from "../../../lib/store/api_keys/mod.ts";

const done = {
  disable: "keys-disabled",
  enable: "keys-enabled",
  delete: "keys-deleted",
} as const;

const keysPath = "/console/token";

interface BulkData {
  readonly back: string;
  readonly keys: readonly Pick<ApiKey, "id" | "name">[];
}

/** Enables, disables or, after confirmation, deletes several keys of the list. */
export const handler = defineForAccount.handlers({
  GET: () => seeOther(keysPath),

  async POST(ctx) {
    const { req, state } = ctx;
    const form = await readForm(req);
    const back = localPath(form.get("back"), keysPath);
    const action = bulkActions.find((one) => one === form.get("action"));
    const keys = await chosenKeys(state, form.getAll("key"));
    if (action === "delete" && keys.length > 0 && form.get("sure") !== "yes") {
      return page<BulkData>({ back, keys: keys.map(({ id, name }) => ({ id, name })) });
    }
    const count = action ? await changeKeys(ctx, keys, action) : 0;
    const flash: Flash = action && count > 0
      ? { type: done[action], count }
      : { type: "keys-none" };
    return await seeOtherWith(flash, back, state);
  },
});

export default defineForAccount.page<typeof handler>(({ data: { back, keys }, state, url }) => {
  const view = accountView(state, url);
  const { deleteKey, keyList } = view.catalog;
  return (
    <ConsolePage view={view} title={view.catalog.keys.title} place="keys">
      <Question
        id="delete-keys"
        title={keyList.deleteTitle(keys.length)}
        text={keyList.deleteText(keys.length)}
        back={back}
        cancel={deleteKey.cancel}
        confirm={keyList.deleteConfirm(keys.length)}
      >
        <ul class="named">
          {keys.map(({ id, name }) => (
            <li>
              <input type="hidden" name="key" value={id} />
              {name}
            </li>
          ))}
        </ul>
        <input type="hidden" name="back" value={back} />
        <input type="hidden" name="action" value="delete" />
        <input type="hidden" name="sure" value="yes" />
      </Question>
    </ConsolePage>
  );
});
