import type { AccountView } from "../../lib/console/page/view.ts";
import { TextField } from "../controls.tsx";

/** Adds an account to a project by its e-mail address. */
export function AddMember({ view: { catalog: { projects: texts, faults } }, path, entered }: {
  view: AccountView;
  /** The address of the project's page. */
  path: string;
  /** A posted address that no account has. */
  entered?: string;
}) {
  return (
    <form class="body fields" method="post" action={`${path}/members`} noValidate>
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
    </form>
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
    <form method="post" action={`${path}/members`}>
      <button
        class="button small"
        type="submit"
        name="remove"
        value={member.id}
        aria-label={texts.removeLabel(member.email)}
      >
        {texts.remove}
      </button>
    </form>
  );
}
