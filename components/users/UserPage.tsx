import type { Catalog } from "../../lib/console/i18n/mod.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import { roles, spendings } from "../../lib/admin/users.ts";
import type { UserPageData } from "../../lib/console/users/user_page.ts";
import { Fold } from "../Fold.tsx";
import { FormAlert } from "../FormAlert.tsx";
import { type Undo, UndoNotice } from "../layout/UndoNotice.tsx";
import { bindFields, SelectField } from "../controls.tsx";
import { BoundsFields } from "../groups/BoundsFields.tsx";
import { KeyFlash } from "../keys/KeyFlash.tsx";
import { SubjectCost } from "../keys/SubjectCost.tsx";
import { ConsolePage } from "../layout/ConsolePage.tsx";
import { UnpricedWarning } from "../models/UnpricedWarning.tsx";
import { FundsForm } from "./FundsForm.tsx";
import { UserFacts } from "./UserFacts.tsx";
import { UserFigures, UserHead, userLog } from "./UserHead.tsx";
import { UserKeys } from "./UserKeys.tsx";
import { UserLimits, UserSessions } from "./UserRail.tsx";

interface UserPageProps {
  readonly view: AccountView;
  readonly data: UserPageData;
  /** The last action. */
  readonly done?: keyof Catalog["users"]["done"];
}

/** One user: state, spend and keys, with settings, credits and facts in folds. */
export function UserPage({ view, data, done }: UserPageProps) {
  const { users: texts, keyAdmin } = view.catalog;
  const { row: { user, lastCallAtMs }, usage, keys = [] } = data;
  const nameOf = (id: string) =>
    keys.find(({ apiKey }) => apiKey.id === id)?.apiKey.name ?? texts.deletedKey;
  return (
    <ConsolePage view={view} title={user.email} place="users" split>
      {done && <UndoNotice view={view} text={texts.done[done]} undo={undoOf(data)} />}
      <KeyFlash view={view} flash={data.flash} back={`/console/admin/users/${user.id}`} />
      <UserHead view={view} data={data} />
      <UserFigures view={view} data={data} />
      <div class="stack">
        <SubjectCost
          view={view}
          title={texts.costByKey}
          usage={usage}
          lastCallMs={lastCallAtMs}
          nameOf={nameOf}
          others={keyAdmin.otherKeys}
          log={userLog(user.id)}
        />
        <UserKeys view={view} userId={user.id} rows={data.keys} />
        <Settings view={view} data={data} />
        <Credits view={view} data={data} />
        <UserFacts view={view} data={data} />
      </div>
      <aside class="stack">
        <UserLimits view={view} data={data} />
        <UserSessions view={view} data={data} />
      </aside>
    </ConsolePage>
  );
}

/** Enables a user who was just disabled, and still is. */
function undoOf({ flash, fixed, row: { user: { id, enabled } } }: UserPageData): Undo | undefined {
  if (flash?.type !== "user-disabled" || flash.id !== id || enabled || fixed) return undefined;
  return { path: `/console/admin/users/${id}/enabled`, fields: [["enabled", "true"]] };
}

function Credits({ view, data: { row: { user }, funds } }: UserPageProps) {
  const { catalog: { users: texts }, formats } = view;
  const hint = `${texts.balance} ${formats.money(funds.balanceNanoUsd)}`;
  return (
    <Fold id="funds" title={texts.funds} value={hint} open={funds.faults !== undefined}>
      <FundsForm view={view} userId={user.id} form={funds} />
    </Fold>
  );
}

function Settings({ view, data }: UserPageProps) {
  const { users: texts, account } = view.catalog;
  const { row: { user }, faults = {} } = data;
  const isOpen = Object.keys(faults).length > 0;
  return (
    <Fold
      id="settings"
      title={texts.settings}
      value={`${account[user.role]}, ${texts[user.spending]}`}
      open={isOpen}
    >
      <SettingsForm view={view} data={data} />
    </Fold>
  );
}

function SettingsForm({ view, data }: UserPageProps) {
  const { users: texts, account, faults: { user: faultTexts } } = view.catalog;
  const { row: { user }, fixed, values, faults = {} } = data;
  const field = bindFields(values, faults, faultTexts);
  return (
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
      <BoundsFields {...{ texts, values, faults, faultTexts }} />
      <div class="actions start">
        <button class="button primary" type="submit">{texts.save}</button>
      </div>
    </form>
  );
}
