import { roles } from "../../lib/accounts/mod.ts";
import { spendings } from "../../lib/admin/users.ts";
import type { Catalog } from "../../lib/console/i18n/mod.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import {
  type FundsFormData,
  fundsKinds,
  type UserPageData,
} from "../../lib/console/users/user_page.ts";
import { A } from "../A.tsx";
import { Form } from "../Form.tsx";
import { Fold } from "../Panel.tsx";
import { Status } from "../States.tsx";
import { bindFields, FormAlert, SelectField, TextField } from "../controls.tsx";
import { BoundsFields } from "../groups/BoundsFields.tsx";
import { KeyFlash } from "../keys/KeyFlash.tsx";
import { RecordingPanel } from "../keys/Recording.tsx";
import { SubjectCost, SubjectFigures } from "../keys/SubjectUsage.tsx";
import { ConsolePage } from "../layout/ConsolePage.tsx";
import { type Undo, UndoNotice } from "../layout/notices.tsx";
import { UnpricedWarning } from "../models/UnpricedWarning.tsx";
import { Figure } from "../values.tsx";
import { UserFacts } from "./UserFacts.tsx";
import { UserKeys } from "./UserKeys.tsx";
import { secondStepInWords } from "./UserPanel.tsx";
import { UserBounds, UserSessions } from "./UserRail.tsx";

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
        {view.may("keys:read") && <UserKeys view={view} userId={user.id} rows={data.keys} />}
        <Settings view={view} data={data} />
        <Credits view={view} data={data} />
        <UserFacts view={view} data={data} />
      </div>
      <aside class="stack">
        <UserBounds view={view} data={data} />
        <RecordingPanel
          view={view}
          state={data.recording}
          path={`/console/admin/users/${user.id}`}
        />
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
  const field = bindFields({ values, faults, texts, faultTexts });
  return (
    <Form class="body fields" action={`/console/admin/users/${user.id}`} noValidate isRecord>
      {Object.keys(faults).length > 0 && <FormAlert>{texts.problem}</FormAlert>}
      <div class="pair">
        <SelectField
          {...field("role")}
          options={(fixed ? [user.role] : roles).map((role) => [role, account[role]])}
        />
        <SelectField
          {...field("spending")}
          options={spendings.map((one) => [one, texts[one]])}
        />
      </div>
      <UnpricedWarning view={view} />
      <BoundsFields {...{ texts, values, faults, faultTexts }} />
      <div class="actions start">
        <button class="button primary" type="submit">{texts.save}</button>
      </div>
    </Form>
  );
}

/** The form that changes the balance of a user. */
function FundsForm(
  { view, userId, form }: { view: AccountView; userId: string; form: FundsFormData },
) {
  const { users: texts, faults: { user: faultTexts } } = view.catalog;
  const { intent, amount, reason, faults = {} } = form;
  const field = bindFields({ values: { amount, reason }, faults, texts, faultTexts });
  const path = `/console/admin/users/${userId}/funds`;
  return (
    <Form class="body fields" action={path} noValidate>
      {(faults.amount || faults.reason) && <FormAlert>{texts.problem}</FormAlert>}
      <input type="hidden" name="intent" value={intent} />
      <div class="pair">
        <SelectField
          id="funds-kind"
          name="kind"
          label={texts.fundsKind}
          value={form.kind}
          options={fundsKinds.map((one) => [one, texts[one]])}
        />
        <TextField {...field("amount")} inputMode="decimal" required />
      </div>
      <TextField {...field("reason")} maxLength={500} required />
      <div class="actions start">
        <button class="button" type="submit">{texts.change}</button>
      </div>
    </Form>
  );
}

interface UserProps {
  readonly view: AccountView;
  readonly data: UserPageData;
}

/** The filters of the log for the calls of a user. */
function userLog(id: string) {
  return { who: "everyone", user: id };
}

/** The state of a user, with the most frequent actions. */
function UserHead({ view, data: { row, fixed } }: UserProps) {
  const { catalog: { users: texts, account, security: { admin } }, formats } = view;
  const { user, groupIds } = row;
  const path = `/console/admin/users/${user.id}`;
  const since = formats.day(user.createdAtMs);
  return (
    <div class="across object-head">
      <p>
        <Status tone={user.enabled ? "ok" : "off"}>
          {user.enabled ? texts.enabled : texts.disabled}
        </Status>
        <span class="soft">
          {formats.list([
            account[user.role],
            ...groupIds.length > 0 ? [`${texts.groups} ${groupIds.join(" ")}`] : [],
            texts.since(since),
            formats.pair(admin.column, secondStepInWords(row, view)),
          ])}
        </span>
      </p>
      {user.email !== view.user.email && (
        <Form action={`${path}/view`}>
          <button class="button" type="submit">{texts.view}</button>
        </Form>
      )}
      {row.keys > 0 && (
        <Form action="/console/token/bulk">
          <input type="hidden" name="all" value="yes" />
          <input type="hidden" name="back" value={`/console/token?who=everyone&owner=${user.id}`} />
          <button class="button" type="submit" name="action" value="disable">
            {texts.disableKeys}
          </button>
        </Form>
      )}
      {!fixed && user.enabled && <A class="button" href={`${path}/enabled`}>{texts.disable}</A>}
      {!fixed && !user.enabled && (
        <Form action={`${path}/enabled`}>
          <button class="button" type="submit" name="enabled" value="true">{texts.enable}</button>
        </Form>
      )}
    </div>
  );
}

/** The spend and the calls of a user. */
function UserFigures({ view, data: { row, usage, bounds } }: UserProps) {
  const { catalog: { users: texts }, formats } = view;
  const { user: { id }, lastCallAtMs } = row;
  return (
    <SubjectFigures view={view} usage={usage} bounds={bounds} log={userLog(id)}>
      <Figure
        name={texts.lastCall}
        value={lastCallAtMs === undefined ? texts.never : formats.ago(lastCallAtMs)}
      />
    </SubjectFigures>
  );
}
