import Notice from "../../islands/Notice.tsx";
import type { AccountView, Catalog } from "../../lib/console/page/view.ts";
import { roles, spendings } from "../../lib/console/users/account_form.ts";
import type { UserPageData } from "../../lib/console/users/user_page.ts";
import { A } from "../A.tsx";
import { FormAlert } from "../FormAlert.tsx";
import { Icon } from "../Icon.tsx";
import { Panel } from "../Panel.tsx";
import { bindFields, SelectField } from "../controls.tsx";
import { BoundsFields } from "../groups/BoundsFields.tsx";
import { ConsolePage } from "../layout/ConsolePage.tsx";
import { UnpricedWarning } from "../models/UnpricedWarning.tsx";
import { FundsForm } from "./FundsForm.tsx";
import { UserFacts } from "./UserFacts.tsx";

/** One user: facts, settings and balance. */
export function UserPage(
  { view, data, done }: {
    view: AccountView;
    data: UserPageData;
    /** The last action. */
    done?: keyof Catalog["users"]["done"];
  },
) {
  const { users: texts } = view.catalog;
  const { row } = data;
  return (
    <ConsolePage view={view} title={row.user.email} place="users">
      <A class="link back" href="/console/admin/users">
        <Icon name="arrow-left" small />
        {texts.back}
      </A>
      {done && <Notice text={texts.done[done]} />}
      <div class="halves">
        <UserFacts view={view} data={data} />
        <FundsForm view={view} userId={row.user.id} form={data.funds} />
      </div>
      <SettingsForm view={view} data={data} />
    </ConsolePage>
  );
}

function SettingsForm({ view, data }: { view: AccountView; data: UserPageData }) {
  const { users: texts, account } = view.catalog;
  const { row: { user }, fixed, values, faults = {} } = data;
  const words = Object.fromEntries(
    Object.entries(faults).map(([field, fault]) => [field, texts.fault[fault]]),
  );
  const field = bindFields(values, words);
  return (
    <Panel id="settings" title={texts.settings}>
      <form class="body fields" method="post" action={`/console/admin/users/${user.id}`} noValidate>
        {Object.keys(faults).length > 0 && <FormAlert>{texts.problem}</FormAlert>}
        <div class="pair">
          <SelectField
            {...field("role")}
            label={texts.role}
            options={(fixed ? roles.slice(0, 1) : roles).map((role) => [role, account[role]])}
          />
          <SelectField
            {...field("spending")}
            label={texts.spending}
            hint={texts.spendingHint}
            options={spendings.map((one) => [one, texts[one]])}
          />
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
