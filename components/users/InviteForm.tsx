import { roles } from "../../lib/accounts/mod.ts";
import { spendings } from "../../lib/admin/users.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import type {
  inviteChoices,
  InviteFaults,
  InviteValues,
} from "../../lib/console/users/invite_form.ts";
import { A } from "../A.tsx";
import { bindFields, FormAlert, SelectField, TextField } from "../controls.tsx";
import { BoundsFields } from "../groups/BoundsFields.tsx";
import { UnpricedWarning } from "../models/UnpricedWarning.tsx";
import { More } from "../Panel.tsx";
import { EmailField } from "../sign_in/fields.tsx";

/** The data of the form that invites a user. */
export interface InviteData extends ReturnType<typeof inviteChoices> {
  readonly values: InviteValues;
  readonly faults: InviteFaults;
  /** True if the form was sent without the credit that the user's first call needs. */
  readonly startsEmpty: boolean;
}

/** The form that invites a user, with what the account starts with. */
export function InviteForm({ view, data }: { view: AccountView; data: InviteData }) {
  const { users: texts, account, faults: { user: faultTexts } } = view.catalog;
  const { values, faults, startsEmpty, projects, groups } = data;
  const field = bindFields({
    values,
    faults,
    texts: { ...texts, ...texts.inviteFields },
    faultTexts,
  });
  const isFaulty = Object.keys(faults).length > 0;
  const { email, role, spending, project, group, credit } = faults;
  const bounded = Object.keys(faults).length > [email, role, spending, project, group, credit]
    .filter((fault) => fault !== undefined).length;
  return (
    <>
      {isFaulty && <FormAlert>{texts.problem}</FormAlert>}
      {startsEmpty && <FormAlert>{texts.inviteEmpty}</FormAlert>}
      <EmailField
        label={texts.email}
        autocomplete="off"
        value={values.email}
        fault={field("email").fault}
      />
      <div class="pair">
        <SelectField
          {...field("role")}
          options={roles.toReversed().map((one) => [one, account[one]])}
        />
        <SelectField {...field("spending")} options={spendings.map((one) => [one, texts[one]])} />
      </div>
      <TextField {...field("credit")} inputMode="decimal" />
      <div class="pair">
        {projects.length > 0 && (
          <SelectField
            {...field("project")}
            options={[
              ["", texts.inviteFields.noProject],
              ...projects.map((id) => [id, id] as const),
            ]}
          />
        )}
        {groups.length > 1 && (
          <SelectField
            {...field("group")}
            options={[["", texts.inviteFields.anyGroup], ...groups.map((id) => [id, id] as const)]}
          />
        )}
      </div>
      <More title={texts.inviteFields.bounds} open={bounded}>
        <BoundsFields {...{ texts, values, faults, faultTexts }} />
      </More>
      <UnpricedWarning view={view} />
      <div class="actions">
        <A class="button" href="/console/admin/users">{texts.cancel}</A>
        {startsEmpty && (
          <button class="button" type="submit" name="empty" value="yes">
            {texts.inviteAnyway}
          </button>
        )}
        <button class="button primary" type="submit">{texts.inviteSubmit}</button>
      </div>
    </>
  );
}
