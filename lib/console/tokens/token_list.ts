import { permits } from "../../accounts/mod.ts";
import { type AdminToken, listAdminTokens } from "../../store/admin_tokens/mod.ts";
import { getUser } from "../../store/users/mod.ts";
import { defineList, listPage, type QueryOf } from "../page/define_list.ts";
import { search } from "../page/list_fields.ts";
import type { AccountState } from "../session/state.ts";

/** A token as the list shows it. */
interface TokenRow {
  readonly token: AdminToken;
  /** The e-mail address of the user, or the id of a deleted one. */
  readonly owner: string;
  readonly isExpired: boolean;
}

/** All tokens, or for a role that does not read them the own ones; newest first. */
export const tokenList = defineList<TokenRow>()({
  path: "/console/admin/tokens",
  fields: { q: search(({ token: { id, name }, owner }) => [name, owner, id]) },
  sort: {
    columns: {
      name: ({ token }) => token.name,
      created: ({ token }) => token.createdAtMs,
      used: ({ token }) => token.lastUsedAtMs,
      expires: ({ token }) => token.expiresAtMs,
    },
    usual: { column: "created", descending: true },
    descendingFirst: ["created", "used"],
  },
});

export async function readTokenList(
  { services, account: { user: reader }, nowMs }: AccountState,
  query: QueryOf<typeof tokenList>,
) {
  const { store } = services;
  const all = await listAdminTokens(store);
  const shown = permits(reader.role, "tokens:read")
    ? all
    : all.filter(({ userId }) => userId === reader.id);
  const rows = await Promise.all(shown.map(async (token) => {
    const user = await getUser(store, token.userId);
    const isExpired = (token.expiresAtMs ?? Infinity) <= nowMs;
    return { token, owner: user?.email ?? token.userId, isExpired };
  }));
  return await listPage(tokenList, rows, { query, services });
}
