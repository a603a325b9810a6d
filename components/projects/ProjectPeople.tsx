import type { ComponentChildren } from "preact";
import { shortEmail } from "../../lib/console/page/format.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import { emailOf } from "../../lib/console/projects/project_form.ts";
import type { ProjectRow } from "../../lib/console/projects/project_list.ts";
import type { ApiKey } from "../../lib/store/api_keys/mod.ts";
import { Form } from "../Form.tsx";
import { Panel } from "../Panel.tsx";
import { RowButton } from "../RowButton.tsx";
import type { TableColumn } from "../Table.tsx";
import { TextField } from "../controls.tsx";
import { A, ListTable, Status, untranslated } from "../list.ts";

type Member = ProjectRow["members"][number];

interface PeopleProps {
  readonly view: AccountView;
  readonly row: ProjectRow;
}

/** The members of a project; `action` follows each. */
export function ProjectMembers({ view, row, end, action, hrefOf }: PeopleProps & {
  /** Below the table. */
  end?: ComponentChildren;
  action: (member: Member) => ComponentChildren;
  /** The page of a member, if the reader may see it. */
  hrefOf?: (member: Member) => string;
}) {
  const { projects: texts } = view.catalog;
  const { members } = row;
  return (
    <Panel id="members" title={texts.members}>
      {members.length === 0 ? <p class="body soft">{texts.noMembers}</p> : (
        <ListTable
          caption={texts.members}
          rows={members}
          keyOf={({ id }) => id}
          isOff={({ enabled }) => !enabled}
          columns={[
            {
              head: texts.account,
              type: "name",
              at: "name",
              cell: (member) =>
                hrefOf
                  ? (
                    <A href={hrefOf(member)} title={member.email} {...untranslated}>
                      {shortEmail(member.email, view.user)}
                    </A>
                  )
                  : <span {...untranslated}>{member.email}</span>,
            },
            statusColumn(view),
            { head: texts.changes, unseen: true, class: "act", cell: action },
          ]}
        />
      )}
      {end}
    </Panel>
  );
}

function statusColumn(
  { catalog: { projects: texts } }: AccountView,
): TableColumn<{ readonly enabled: boolean }> {
  const cell = ({ enabled }: { readonly enabled: boolean }) => (
    <Status tone={enabled ? "ok" : "off"}>{enabled ? texts.enabled : texts.disabled}</Status>
  );
  return { head: texts.status, at: "below", cell };
}

/** The keys of a project's members, each with a button that enables or disables it. */
export function ProjectKeys({ view, row, hrefOf }: PeopleProps & {
  /** The page of a key, if the reader may see it. */
  hrefOf?: (id: string) => string;
}) {
  const { projects: texts } = view.catalog;
  const { keys, members } = row;
  return (
    <Panel id="keys" title={texts.keys}>
      {keys.length === 0 ? <p class="body soft">{texts.noKeys}</p> : (
        <ListTable
          caption={texts.keys}
          rows={keys}
          keyOf={({ id }) => id}
          isOff={({ enabled }) => !enabled}
          columns={[
            {
              head: texts.key,
              type: "name",
              class: "short",
              at: "name",
              cell: ({ id, name }) =>
                hrefOf
                  ? <A href={hrefOf(id)} title={name} {...untranslated}>{name}</A>
                  : <span title={name} {...untranslated}>{name}</span>,
            },
            {
              head: texts.account,
              class: "quiet short",
              cell: ({ accountId }) => {
                const email = emailOf(accountId, members);
                return <span title={email} {...untranslated}>{shortEmail(email, view.user)}</span>;
              },
            },
            statusColumn(view),
            {
              head: texts.changes,
              unseen: true,
              class: "act",
              cell: (key) => <KeySwitch view={view} apiKey={key} projectId={row.project.id} />,
            },
          ]}
        />
      )}
    </Panel>
  );
}

function KeySwitch({ view: { catalog: { projects: texts } }, apiKey, projectId }: {
  view: AccountView;
  apiKey: ApiKey;
  projectId: string;
}) {
  const { id, name, enabled } = apiKey;
  const label = enabled ? texts.disableLabel(name) : texts.enableLabel(name);
  return (
    <Form action={`/console/projects/${projectId}/keys`}>
      <input type="hidden" name="key" value={id} />
      <button
        class="button small"
        type="submit"
        name="enabled"
        value={String(!enabled)}
        aria-label={label}
      >
        {enabled ? texts.disable : texts.enable}
      </button>
    </Form>
  );
}

/** Adds an account to a project by its e-mail address. */
export function AddMember({ view: { catalog: { projects: texts, faults } }, path, entered }: {
  view: AccountView;
  /** The address of the project's page. */
  path: string;
  /** A posted address that no account has. */
  entered?: string;
}) {
  return (
    <Form class="body fields" action={`${path}/members`} noValidate>
      <TextField
        name="email"
        type="email"
        label={texts.addMember}
        hint={texts.memberHint}
        fault={entered === undefined ? undefined : faults.project.member}
        value={entered}
        spellcheck={false}
      />
      <div class="actions start">
        <button class="button" type="submit">{texts.addSubmit}</button>
      </div>
    </Form>
  );
}

/** Removes an account from a project. */
export function RemoveMember({ view: { catalog: { projects: texts } }, path, member }: {
  view: AccountView;
  /** The address of the project's page. */
  path: string;
  member: { readonly id: string; readonly email: string };
}) {
  return (
    <RowButton
      action={`${path}/members`}
      name="remove"
      value={member.id}
      text={texts.remove}
      label={texts.removeLabel(member.email)}
    />
  );
}
