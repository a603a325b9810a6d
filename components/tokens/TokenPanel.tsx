import { shownSecret } from "../../lib/admin/keys/key_status.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import { tokenList } from "../../lib/console/tokens/token_list.ts";
import { A, type ColumnsOf, ListPanel, type PanelProps, Time, untranslated } from "../list.ts";

/** All tokens of the management API. */
export function TokenPanel(props: PanelProps<typeof tokenList>) {
  const { tokens: texts } = props.view.catalog;
  return (
    <ListPanel
      {...props}
      id="tokens"
      list={tokenList}
      texts={texts}
      icon="code"
      columns={columns(props.view)}
      keyOf={({ token }) => token.id}
      isOff={({ isExpired }) => isExpired}
      filters={[{ name: "q", label: texts.name }]}
    />
  );
}

function columns(
  { catalog: { tokens: texts }, formats }: AccountView,
): ColumnsOf<typeof tokenList> {
  return [
    { head: texts.name, at: "name", sort: "name", type: "name", cell: ({ token }) => token.name },
    {
      head: texts.secret,
      cell: ({ token }) => <code {...untranslated}>{shownSecret(token)}</code>,
    },
    { head: texts.owner, at: "below", cell: ({ owner }) => <span {...untranslated}>{owner}</span> },
    {
      head: texts.scopes,
      class: "wrap",
      cell: ({ token }) => <code {...untranslated}>{token.scopes.join(", ")}</code>,
    },
    {
      head: texts.addresses,
      class: "wrap quiet",
      cell: ({ token: { ipAllowList } }) => ipAllowList?.join(", ") ?? texts.anywhere,
    },
    {
      head: texts.expires,
      at: "first",
      sort: "expires",
      class: "quiet",
      cell: ({ token: { expiresAtMs }, isExpired }) =>
        expiresAtMs === undefined
          ? texts.never
          : isExpired
          ? texts.expired
          : formats.utcDay(expiresAtMs),
    },
    {
      head: texts.used,
      sort: "used",
      class: "quiet",
      cell: ({ token: { lastUsedAtMs } }) =>
        lastUsedAtMs === undefined ? texts.unused : <Time formats={formats} atMs={lastUsedAtMs} />,
    },
    {
      head: texts.revoke,
      at: "second",
      unseen: true,
      cell: ({ token }) => (
        <A class="link" href={`/console/admin/tokens/${token.id}/delete`}>{texts.revoke}</A>
      ),
    },
  ];
}
