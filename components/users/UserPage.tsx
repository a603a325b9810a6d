import Notice from "../../islands/Notice.tsx";
import type { AccountValues } from "../../lib/console/users/account_form.ts";
import type { UserPageData } from "../../lib/console/users/user_page.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import { A } from "../A.tsx";
import { BoundsFields } from "../groups/BoundsFields.tsx";
import { ConsolePage } from "../layout/ConsolePage.tsx";
import { described, Field, FormAlert } from "../Field.tsx";
import { FundsForm } from "./FundsForm.tsx";
import { Icon } from "../Icon.tsx";
import { UnpricedWarning } from "../models/UnpricedWarning.tsx";
import { Panel } from "../Panel.tsx";
import { UserFacts } from "./UserFacts.tsx";

/** One user: facts, settings and balance. */
export function UserPage({ view, data }: { view: AccountView; data: UserPageData }) {
  const { users: texts } = view.catalog;
  const { row, fixed, done } = data;
  return (
    <ConsolePage view={view} title={row.user.email} place="users">
      <A class="link back" href="/console/admin/users">
        <Icon name="arrow-left" small />
        {texts.back}
      </A>
      {done && <Notice text={texts.done[done]} />}
      <div class="halves">
        <UserFacts view={view} row={row} fixed={fixed} />
        <FundsForm view={view} userId={row.user.id} form={data.funds} />
      </div>
      <SettingsForm view={view} data={data} />
    </ConsolePage>
  );
}

function SettingsForm({ view, data }: { view: AccountView; data: UserPageData }) {
  const { users: texts } = view.catalog;
  const { row: { user }, fixed, values, faults = {} } = data;
  const words = Object.fromEntries(
    Object.entries(faults).map(([field, fault]) => [field, texts.fault[fault]]),
  );
  const spending = { id: "spending", hint: texts.spendingHint, fault: words.spending };
  return (
    <Panel id="settings" title={texts.settings}>
      <form class="body fields" method="post" action={`/console/admin/users/${user.id}`} noValidate>
        {Object.keys(faults).length > 0 && <FormAlert>{texts.problem}</FormAlert>}
        <div class="pair">
          <RoleField view={view} values={values} fault={words.role} fixed={fixed !== undefined} />
          <Field {...spending} label={texts.spending}>
            <select {...described(spending)} class="input" name="spending">
              {(["prepaid", "unlimited"] as const).map((one) => (
                <option key={one} value={one} selected={one === values.spending}>
                  {texts[one]}
                </option>
              ))}
            </select>
          </Field>
        </div>
        <UnpricedWarning view={view} />
        <BoundsFields texts={texts} values={values} faults={words} />
        <div class="actions start">
          <button class="button primary" type="submit">{texts.save}</button>
        </div>
      </form>
    </Panel>
  );
}

function RoleField(
  { view: { catalog: { users: texts, account } }, values, fault, fixed }: {
    view: AccountView;
    values: AccountValues;
    fault?: string;
    fixed: boolean;
  },
) {
  const about = { id: "role", fault };
  const roles = fixed ? (["administrator"] as const) : (["administrator", "member"] as const);
  return (
    <Field {...about} label={texts.role}>
      <select {...described(about)} class="input" name="role">
        {roles.map((role) => (
          <option key={role} value={role} selected={role === values.role}>{account[role]}</option>
        ))}
      </select>
    </Field>
  );
}
