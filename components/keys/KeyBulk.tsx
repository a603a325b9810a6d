import SelectedCount from "../../islands/SelectedCount.tsx";
import { type BulkAction, bulkMax, type LimitFault } from "../../lib/console/keys/key_bulk.ts";
import { graceNames, usualGrace } from "../../lib/console/keys/key_rotation.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import type { ApiKey } from "../../lib/store/api_keys/mod.ts";
import { budgetPeriods } from "../../lib/store/money/mod.ts";
import { Form } from "../Form.tsx";
import { Icon } from "../Icon.tsx";
import { SelectField, TextField } from "../controls.tsx";
import type { IconName } from "../icon_names.ts";
import { Question } from "../layout/QuestionPage.tsx";
import { untranslated } from "../untranslated.ts";

/** The id of the form that the list's check boxes belong to. */
export const bulkForm = "keys-bulk";

/** The id of the form that the menus of all rows belong to: one form keeps the page small. */
export const rowForm = "keys-row";

/** The form of the rows' menus. A button in them names its key, or has an address of its own. */
export function RowForm({ back }: { back: string }) {
  return (
    <Form id={rowForm} action="/console/token/bulk" hidden>
      <input type="hidden" name="back" value={back} />
      <input type="hidden" name="action" value="limit" />
    </Form>
  );
}

/** The actions for all selected keys; shown while some are. */
export function KeyBulk(
  { view: { catalog: { keyList, keyAdmin } }, back, found }: {
    view: AccountView;
    back: string;
    /** The number of keys on all pages. */
    found: number;
  },
) {
  const actions = [
    ["disable", "ban", keyList.disable],
    ["enable", "power", keyList.enable],
    ["rotate", "refresh-cw", keyAdmin.rotate],
    ["limit", "sliders-horizontal", keyAdmin.limit],
    ["delete", "trash-2", keyList.remove],
  ] as const satisfies readonly (readonly [BulkAction, IconName, string])[];
  return (
    <Form class="bulk" id={bulkForm} action="/console/token/bulk">
      <input type="hidden" name="back" value={back} />
      <SelectedCount label={keyAdmin.selectedCount} text={keyAdmin.selected} />
      <b class="all-chosen">{keyAdmin.allSelected(Math.min(found, bulkMax))}</b>
      {actions.map(([action, icon, text]) => (
        <button key={action} class="button small" name="action" value={action} type="submit">
          <Icon name={icon} small />
          {text}
        </button>
      ))}
      <button class="icon-button" type="reset" aria-label={keyAdmin.clear}>
        <Icon name="x" small />
      </button>
    </Form>
  );
}

export interface BulkQuestionData {
  readonly action: BulkAction;
  readonly keys: readonly Pick<ApiKey, "id" | "name">[];
  /** The address of the list. */
  readonly back: string;
  /** The limit that was entered, and its field that could not be read. */
  readonly limit?: Readonly<Record<LimitFault, string>> & { readonly fault: LimitFault };
}

interface BulkQuestionProps {
  readonly view: AccountView;
  readonly data: BulkQuestionData;
}

const namesShown = 20;

/** Asks about a change of several keys, each of which it names. */
export function BulkQuestion({ view, data }: BulkQuestionProps) {
  const { keyAdmin, deleteKey } = view.catalog;
  const { action, keys, back } = data;
  const texts = textsOf(view, data);
  return (
    <Question
      id="keys"
      title={texts.title}
      text={texts.text}
      back={back}
      cancel={deleteKey.cancel}
      confirm={texts.confirm}
      tone={action === "delete" ? "danger" : "primary"}
      action="/console/token/bulk"
    >
      {action === "rotate" && <GraceChoice view={view} />}
      {action === "limit" && <LimitFields view={view} data={data} />}
      {keys.map(({ id }) => <input key={id} type="hidden" name="key" value={id} />)}
      {keys.length > 1 && (
        <p class="key-names" {...untranslated}>
          {keys.slice(0, namesShown).map(({ name }) => name).join(", ")}
          {keys.length > namesShown && ` ${keyAdmin.others(keys.length - namesShown)}`}
        </p>
      )}
      <input type="hidden" name="back" value={back} />
      <input type="hidden" name="action" value={action} />
      <input type="hidden" name="sure" value="yes" />
    </Question>
  );
}

function textsOf(
  { catalog: { keyAdmin, keyList, keyPage } }: AccountView,
  { action, keys }: BulkQuestionData,
) {
  const subject = keys.length === 1 ? keys[0].name : keyAdmin.keys(keys.length);
  if (action === "delete") {
    return {
      title: keyList.deleteTitle(keys.length),
      text: keyList.deleteText(keys.length),
      confirm: keyList.deleteConfirm(keys.length),
    };
  }
  if (action === "rotate") {
    return {
      title: keyPage.rotateTitle(subject),
      text: keys.length === 1 ? keyPage.rotateText : keyAdmin.rotateText,
      confirm: keyPage.rotateConfirm(subject),
    };
  }
  return {
    title: keyAdmin.limitTitle(subject),
    text: keyAdmin.limitText,
    confirm: keyAdmin.limitConfirm(subject),
  };
}

function LimitFields(
  { view: { catalog: { keyAdmin, faults, keyForm } }, data }: BulkQuestionProps,
) {
  const { amount, length, fault } = data.limit ?? {};
  return (
    <>
      <TextField
        name="amount"
        label={keyAdmin.limitAmount}
        hint={keyAdmin.limitHint}
        inputMode="decimal"
        value={amount}
        fault={fault === "amount" ? faults.key.budget : undefined}
        autofocus
      />
      <div class="pair">
        <SelectField
          name="period"
          label={keyAdmin.limitPeriod}
          value="month"
          options={budgetPeriods.map((period) => [period, keyForm[period]])}
        />
        <TextField
          name="length"
          label={keyAdmin.limitLength}
          hint={keyAdmin.limitLengthHint}
          value={length}
          fault={fault === "length" ? faults.key.length : undefined}
        />
      </div>
    </>
  );
}

/** The choice of when an old secret stops working. */
export function GraceChoice({ view: { catalog: { keyPage } } }: { view: AccountView }) {
  return (
    <fieldset class="field graces">
      <legend class="legend">{keyPage.oldEnds}</legend>
      {graceNames.map((grace) => (
        <label key={grace}>
          <input type="radio" name="grace" value={grace} checked={grace === usualGrace} />
          <b>{keyPage.graces[grace]}</b>
          <span class="soft">{keyPage.graceHints[grace]}</span>
        </label>
      ))}
    </fieldset>
  );
}
