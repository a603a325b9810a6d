import { listColumns } from "../../../lib/console/keys/key_columns.ts";
import { localPath, seeOther } from "../../../lib/console/page/address.ts";
import { readForm } from "../../../lib/console/page/form.ts";
import { defineForAccount } from "../../../lib/console/session/state.ts";
import { updateReadingChoices } from "../../../lib/store/users/mod.ts";

/** Stores the optional columns of a user's list of keys; an empty choice is valid. */
export const handler = defineForAccount.handlers({
  async POST({ req, state: { services: { store }, account: { user } } }) {
    const form = await readForm(req);
    const chosen = form.getAll("column");
    const keyColumns = listColumns.filter((column) => chosen.includes(column));
    await updateReadingChoices(store, user.id, (choices) => ({ ...choices, keyColumns }));
    return seeOther(localPath(form.get("back"), "/console/token"));
  },
});
