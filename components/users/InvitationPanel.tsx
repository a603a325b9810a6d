import type { AccountView } from "../../lib/console/page/view.ts";
import type { Invitation } from "../../lib/store/users/mod.ts";
import { Panel } from "../Panel.tsx";
import { ListTable } from "../Table.tsx";
import { untranslated } from "../untranslated.ts";
import { Time } from "../values.tsx";

/** The open invitations; nothing without one. */
export function InvitationPanel(
  { view, invitations }: { view: AccountView; invitations: readonly Invitation[] },
) {
  const { catalog: { users: texts, account }, formats } = view;
  if (invitations.length === 0) return null;
  return (
    <Panel id="invitations" title={texts.invitations(invitations.length)}>
      <ListTable
        caption={texts.invitationsCaption}
        rows={invitations}
        keyOf={({ digest }) => digest}
        columns={[
          {
            head: texts.email,
            type: "name",
            class: "short",
            at: "name",
            cell: ({ email }) => <span title={email} {...untranslated}>{email}</span>,
          },
          { head: texts.role, at: "below", cell: ({ role }) => account[role] },
          { head: texts.spending, cell: ({ spending }) => texts[spending] },
          {
            head: texts.expires,
            class: "quiet",
            cell: ({ expiresAtMs }) => <Time atMs={expiresAtMs} formats={formats} as="moment" />,
          },
          {
            head: texts.revoke,
            unseen: true,
            class: "act",
            cell: ({ digest, email }) => (
              <form method="post" action="/console/admin/users/invitations">
                <button
                  class="button small"
                  type="submit"
                  name="invitation"
                  value={digest}
                  aria-label={texts.revokeFor(email)}
                >
                  {texts.revoke}
                </button>
              </form>
            ),
          },
        ]}
      />
    </Panel>
  );
}
