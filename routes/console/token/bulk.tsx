import { page } from "fresh";
import { A } from "../../../components/A.tsx";
import { ConsolePage } from "../../../components/layout/ConsolePage.tsx";
import { type Flash, writeFlash } from "../../../lib/console/page/flash.ts";
import { readForm } from "../../../lib/console/page/form_body.ts";
import { bulkActions, changeKeys, chosenKeys } from "../../../lib/console/keys/key_bulk.ts";
import { localPath } from "../../../lib/console/page/local_path.ts";
import { defineForAccount } from "../../../lib/console/session/state.ts";
import { accountView } from "../../../lib/console/page/view.ts";

const done = {
  disable: "keys-disabled",
  enable: "keys-enabled",
  delete: "keys-deleted",
} as const;

/** Enables, disables or, after confirmation, deletes several keys of the list. */
export const handler = defineForAccount.handlers({
  GET() {
    return new Response(null, { status: 303, headers: { location: "/console/token" } });
  },

  async POST(ctx) {
    const { req, state } = ctx;
    const { services: { store }, account: { session } } = state;
    const form = await readForm(req);
    const back = localPath(form.get("back"), "/console/token");
    const action = bulkActions.find((one) => one === form.get("action"));
    const keys = await chosenKeys(state, form.getAll("key"));
    if (action === "delete" && keys.length > 0 && form.get("sure") !== "yes") {
      return page({ back, keys: keys.map(({ id, name }) => ({ id, name })) });
    }
    const count = action ? await changeKeys(ctx, keys, action) : 0;
    const flash: Flash = action && count > 0
      ? { type: done[action], count }
      : { type: "keys-none" };
    const headers = new Headers({ location: back });
    await writeFlash(headers, flash, { store, sessionDigest: session.digest });
    return new Response(null, { status: 303, headers });
  },
});

export default defineForAccount.page<typeof handler>(({ data: { back, keys }, state, url }) => {
  const view = accountView(state, url);
  const { deleteKey, keyList } = view.catalog;
  return (
    <ConsolePage view={view} title={view.catalog.keys.title} place="keys">
      <section class="card" aria-labelledby="delete-keys">
        <form class="inside" method="post">
          <h2 id="delete-keys">{keyList.deleteTitle(keys.length)}</h2>
          <p>{deleteKey.text}</p>
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
          <div class="actions">
            <A class="button" href={back}>{deleteKey.cancel}</A>
            <button class="button danger" type="submit">
              {keyList.deleteConfirm(keys.length)}
            </button>
          </div>
        </form>
      </section>
    </ConsolePage>
  );
});
