import { exportKeys } from "../../../lib/console/keys/key_export.ts";
import { foundKeyRows, keyList } from "../../../lib/console/keys/key_list.ts";
import { readQuery } from "../../../lib/console/page/define_list.ts";
import { datedName, download } from "../../../lib/console/page/download.ts";
import { readWho } from "../../../lib/console/page/who.ts";
import { defineForAccount } from "../../../lib/console/session/state.ts";

/** Exports all keys that match the list's filters, as CSV. */
export const handler = defineForAccount.handlers({
  async GET({ url: { searchParams }, state }) {
    const { services: { store }, nowMs } = state;
    const who = readWho(searchParams, state);
    const rows = await foundKeyRows(state, readQuery(keyList, searchParams), who);
    return download(datedName("keys", nowMs), exportKeys(store, rows, nowMs));
  },
});
