import { readQuery } from "../../../../lib/console/page/define_list.ts";
import { datedName, download } from "../../../../lib/console/page/download.ts";
import { defineForAccount } from "../../../../lib/console/session/state.ts";
import { exportUsers, foundUserRows, userList } from "../../../../lib/console/users/user_list.ts";

/** Exports all users that match the list's filters, as CSV. */
export const handler = defineForAccount.handlers({
  async GET({ url: { searchParams }, state: { services: { store }, nowMs } }) {
    const rows = await foundUserRows(store, readQuery(userList, searchParams));
    return download(datedName("users", nowMs), exportUsers(store, rows, nowMs));
  },
});
