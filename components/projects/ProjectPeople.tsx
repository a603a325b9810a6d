import type { ComponentChildren } from "preact";
import { withQuery } from "../../lib/console/page/address.ts";
import { shortEmail } from "../../lib/console/page/format.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import {
  memberList,
  type PeopleList,
  projectKeyList,
  projectLists,
  type ProjectMember,
} from "../../lib/console/projects/project_people.ts";
import type { ApiKey } from "../../lib/store/api_keys/mod.ts";
import { ChoiceLinks } from "../ChoiceLinks.tsx";
import { Form } from "../Form.tsx";
import { Panel } from "../Panel.tsx";
import { RowButton } from "../RowButton.tsx";
import { TextField } from "../controls.tsx";
import { A, ListPanel, Status, Time, untranslated } from "../list.ts";
import { Dollars } from "../values.tsx";

type Member = ProjectMember["member"];

interface PeopleProps {
  readonly view: AccountView;
  readonly projectId: string;
  readonly people: PeopleList;
  /** The action that follows each member. */
  readonly action: (member: Member) => ComponentChildren;
  /** Below the members. */
  readonly end?: ComponentChildren;
  /** The pages of members and keys, for readers who may see them. */
  readonly hrefs?: {
    readonly member: (member: Member) => string;
    readonly key: (id: string) => string;
  };
}

/** The members of a project or their keys, with their spend in the period. */
export function ProjectPeople(props: PeopleProps) {
  const { people } = props;
  return people.show === "keys"
    ? <ProjectKeys {...props} list={people} />
    : <ProjectMembers {...props} list={people} />;
}

type OfMembers = PeopleProps & { readonly list: PeopleList & { readonly show: "members" } };
type OfKeys = PeopleProps & { readonly list: PeopleList & { readonly show: "keys" } };

/** Members or keys. */
function Lists({ view: { catalog: { projects: texts }, path }, people }: PeopleProps) {
  const others = { q: undefined, sort: undefined, page: undefined, done: undefined };
  return (
    <ChoiceLinks
      label={texts.lists}
      choices={projectLists}
      chosen={people.show}
      hrefOf={(show) => withQuery(path, { ...others, show: show === "members" ? undefined : show })}
      texts={texts}
    />
  );
}

function ProjectMembers(props: OfMembers) {
  const { view, list: { query, page }, action, end, hrefs } = props;
  const { catalog: { projects: texts }, formats } = view;
  return (
    <>
      <ListPanel
        view={view}
        id="members"
        list={memberList}
        query={query}
        page={page}
        icon="users"
        texts={{ ...texts.memberList, caption: texts.members }}
        filters={[{ name: "q", label: texts.account }]}
        end={<Lists {...props} />}
        keyOf={({ member }) => member.id}
        isOff={({ member }) => !member.enabled}
        columns={[
          {
            head: texts.account,
            sort: "name",
            type: "name",
            at: "name",
            cell: ({ member }) => (
              <LinkOr href={hrefs?.member(member)} title={member.email}>
                {shortEmail(member.email, view.user)}
              </LinkOr>
            ),
          },
          { head: texts.status, at: "below", cell: ({ member }) => statusOf(member, view) },
          {
            head: texts.keys,
            sort: "keys",
            type: "number",
            cell: ({ keyCount }) => formats.count(keyCount),
          },
          ...countColumns(view),
          {
            head: texts.changes,
            unseen: true,
            class: "act",
            cell: ({ member }) => <div class="row-actions">{action(member)}</div>,
          },
        ]}
      />
      {end && <Panel id="add-member" title={texts.addMember}>{end}</Panel>}
    </>
  );
}

function ProjectKeys(props: OfKeys) {
  const { view, projectId, list: { query, page }, hrefs } = props;
  const { catalog: { projects: texts, keys }, formats } = view;
  return (
    <ListPanel
      view={view}
      id="keys"
      list={projectKeyList}
      query={query}
      page={page}
      icon="key-round"
      texts={{ ...texts.keyList, caption: texts.keys }}
      filters={[{ name: "q", label: texts.key }]}
      end={<Lists {...props} />}
      keyOf={({ apiKey }) => apiKey.id}
      isOff={({ apiKey }) => !apiKey.enabled}
      columns={[
        {
          head: texts.key,
          sort: "name",
          type: "name",
          class: "short",
          at: "name",
          cell: ({ apiKey: { id, name } }) => (
            <LinkOr href={hrefs?.key(id)} title={name}>{name}</LinkOr>
          ),
        },
        {
          head: texts.account,
          sort: "owner",
          class: "quiet short",
          cell: ({ owner: { email } }) => (
            <span title={email} {...untranslated}>{shortEmail(email, view.user)}</span>
          ),
        },
        { head: texts.status, at: "below", cell: ({ apiKey }) => statusOf(apiKey, view) },
        {
          head: keys.lastUsed,
          sort: "used",
          class: "quiet",
          from: 800,
          cell: ({ apiKey: { lastUsedAtMs: atMs } }) =>
            atMs === undefined ? keys.neverUsed : <Time atMs={atMs} formats={formats} />,
        },
        ...countColumns(view),
        {
          head: texts.changes,
          unseen: true,
          class: "act",
          cell: ({ apiKey }) => (
            <div class="row-actions">
              <KeySwitch {...{ view, projectId, apiKey }} />
            </div>
          ),
        },
      ]}
    />
  );
}

/** The calls and the spend of a member or a key in the period. */
function countColumns({ catalog: { projects: texts, usage }, formats }: AccountView) {
  return [
    {
      head: usage.calls,
      sort: "calls",
      type: "number",
      cell: ({ counts }: Counted) => formats.count(counts.requests),
    },
    {
      head: texts.spend,
      sort: "spend",
      type: "number",
      at: "second",
      cell: ({ counts }: Counted) => <Dollars nanoUsd={counts.costNanoUsd} formats={formats} />,
    },
  ] as const;
}

type Counted = Pick<ProjectMember, "counts">;

function LinkOr(
  { href, title, children }: {
    href: string | undefined;
    title: string;
    children: ComponentChildren;
  },
) {
  return href
    ? <A href={href} title={title} {...untranslated}>{children}</A>
    : <span title={title} {...untranslated}>{children}</span>;
}

function statusOf(
  { enabled }: { readonly enabled: boolean },
  { catalog: { projects: texts } }: AccountView,
) {
  return <Status tone={enabled ? "ok" : "off"}>{enabled ? texts.enabled : texts.disabled}</Status>;
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
