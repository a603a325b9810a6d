import type { ComponentChildren } from "preact";
import { faultIn } from "../../lib/admin/fault_text.ts";
import {
  type PriceFaults,
  type PriceValues,
  rateNames,
  tierFields,
  tiersShown,
  toolFields,
} from "../../lib/admin/models/price_form.ts";
import { reratedCallsMax, type Rerating } from "../../lib/admin/models/rerate.ts";
import type { Catalog } from "../../lib/console/i18n/mod.ts";
import { modelPath } from "../../lib/console/models/model_list.ts";
import type { ManagedModel } from "../../lib/console/models/model_page.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import type { ModelPrice } from "../../lib/store/catalog/mod.ts";
import { Form } from "../Form.tsx";
import { Icon } from "../Icon.tsx";
import { Fold, More, Panel } from "../Panel.tsx";
import { FormAlert, TextField } from "../controls.tsx";
import { Fact, Facts } from "../values.tsx";
import { PriceHistory, PriceNow } from "./PriceNow.tsx";

/** The forms for a model's price: administrators set, preview, compare and delete it. */
export function ManagedPrice(
  { view, managed, isSetting }: {
    view: AccountView;
    managed: ManagedModel;
    /** True if the reader came to set the price. */
    isSetting: boolean;
  },
) {
  const { catalog: { modelList }, formats } = view;
  const { row, listed, schedule, entries, values, faults = {}, rerating } = managed;
  const isReadOnly = row.source === "declared" || !view.may("prices:write");
  const now = row.price &&
    modelList.inAndOut(formats.usd(row.price.input), formats.usd(row.price.output));
  return (
    <>
      {rerating && <Rerated view={view} rerating={rerating} />}
      {!isReadOnly && (
        <PriceForm
          view={view}
          id={row.id}
          {...{ values, faults }}
          hint={now}
          isOpen={isSetting || rerating !== undefined}
          isFocused={isSetting}
          end={schedule.length > 0 && (
            <DeletePrice view={view} id={row.id} listed={listed?.price} />
          )}
        />
      )}
      <PriceNow view={view} row={row} listed={listed} />
      {entries.length > 0 && <PriceHistory view={view} entries={entries} />}
    </>
  );
}

/** The cost of the last days' calls under the price in the form. */
function Rerated({ view, rerating }: { view: AccountView; rerating: Rerating }) {
  const { catalog: { priceAdmin: texts }, formats } = view;
  const { calls, costNanoUsd, wouldNanoUsd, unpriced, isCut } = rerating;
  const lines = [
    [texts.triedCalls, formats.count(calls)],
    [texts.triedCost, formats.money(costNanoUsd)],
    [texts.triedWould, formats.money(wouldNanoUsd)],
    [texts.triedDifference, formats.change(wouldNanoUsd - costNanoUsd)],
    ...(unpriced > 0 ? [[texts.triedUnpriced, formats.count(unpriced)]] : []),
  ];
  return (
    <Panel id="tried" title={texts.tried}>
      <div class="body fields" role="status">
        {calls === 0 ? <p>{texts.triedNone}</p> : (
          <Facts class="numbers">
            {lines.map(([name, value]) => <Fact key={name} name={name}>{value}</Fact>)}
          </Facts>
        )}
        <p class="hint">
          {texts.triedText(formats.count(reratedCallsMax))}
          {isCut && ` ${texts.triedCut}`}
        </p>
      </div>
    </Panel>
  );
}

/**
 * Deletes a price override after a confirmation that names the price that replaces it. Works
 * without a script.
 */
function DeletePrice(
  { view, id, listed }: { view: AccountView; id: string; listed?: ModelPrice },
) {
  const { catalog: { priceAdmin: texts }, formats } = view;
  return (
    <div class="body actions start">
      <button class="button" type="button" popovertarget="delete-price">
        <Icon name="trash-2" small />
        {listed ? texts.reset : texts.resetNone}
      </button>
      <div
        class="question"
        id="delete-price"
        popover="auto"
        role="dialog"
        aria-labelledby="delete-price-title"
      >
        <Form action={modelPath(id)}>
          <h2 id="delete-price-title">{texts.resetTitle(id)}</h2>
          <p>
            {listed
              ? texts.resetText(formats.usd(listed.input), formats.usd(listed.output))
              : texts.resetTextNone}
          </p>
          <div class="actions">
            <button
              class="button"
              type="button"
              popovertarget="delete-price"
              popovertargetaction="hide"
            >
              {texts.cancel}
            </button>
            <button class="button danger" type="submit" name="intent" value="reset">
              {texts.resetConfirm}
            </button>
          </div>
        </Form>
      </div>
    </div>
  );
}

interface PriceFormProps {
  readonly view: AccountView;
  readonly id: string;
  readonly values: PriceValues;
  readonly faults: PriceFaults;
}

interface PriceFoldProps extends PriceFormProps {
  /** The current price. */
  readonly hint?: string;
  readonly isOpen: boolean;
  readonly isFocused: boolean;
  /** Below the form. */
  readonly end?: ComponentChildren;
}

const basic = ["input", "output"] as const;
const further = rateNames.filter((name) => name !== "input" && name !== "output");

/** Sets the price of a model in all its parts, from now or a later time on, or tries it out. */
function PriceForm(props: PriceFoldProps) {
  const { view, id, values, faults, hint, isOpen, isFocused } = props;
  const hasFaults = Object.keys(faults).length > 0;
  const { priceAdmin: texts } = view.catalog;
  return (
    <Fold id="set-price" title={texts.set} value={hint} open={isOpen || hasFaults}>
      <Form class="body fields" action={modelPath(id)} noValidate>
        {hasFaults && <FormAlert>{texts.problem}</FormAlert>}
        <p class="soft">{`${texts.tokensTitle}. ${texts.tokensText}`}</p>
        <div class="quarters">
          {basic.map((name) => (
            <Rate
              key={name}
              {...props}
              name={name}
              label={texts.rates[name]}
              autofocus={isFocused && !hasFaults && name === "input"}
            />
          ))}
          <TextField
            type="datetime-local"
            name="from"
            value={values.from}
            label={texts.from}
            hint={texts.fromHint}
            fault={faultIn(faults, "from", view.catalog.faults.price)}
          />
        </div>
        <Part title={texts.moreRates} isOpen={isFilled(further, values, faults)}>
          {further.map((name) => (
            <Rate key={name} {...props} name={name} label={texts.rates[name]} />
          ))}
        </Part>
        <Part
          title={texts.callsTitle}
          isOpen={isFilled(["request", ...toolFields], values, faults)}
        >
          <Rate {...props} name="request" label={texts.request} />
          {(Object.keys(texts.tools) as (keyof Catalog["priceAdmin"]["tools"])[]).map((kind) => ( // its own keys
            <Rate key={kind} {...props} name={`tool.${kind}`} label={texts.tools[kind]} />
          ))}
        </Part>
        <Tiers {...props} />
        <div class="actions start">
          <button class="button primary" type="submit" name="intent" value="set">
            {texts.set}
          </button>
          <button class="button" type="submit" name="intent" value="try">{texts.tryIt}</button>
        </div>
      </Form>
      {props.end}
    </Fold>
  );
}

function isFilled(
  names: readonly string[],
  values: PriceValues,
  faults: PriceFaults,
): boolean {
  return names.some((name) => values[name] || faults[name]);
}

function Part(
  { title, isOpen, children }: {
    title: string;
    isOpen: boolean;
    children: ComponentChildren;
  },
) {
  return (
    <More title={title} open={isOpen}>
      <div class="quarters">{children}</div>
    </More>
  );
}

function Tiers(props: PriceFormProps) {
  const { view: { catalog: { priceAdmin: texts } }, values, faults } = props;
  const shown = Array.from({ length: tiersShown(values) }, (_, at) => at);
  const isOpen = shown.some((at) => isFilled(tierFields(at), values, faults));
  return (
    <More title={texts.tiersTitle} open={isOpen}>
      {shown.map((at) => (
        <fieldset key={at} class="fields">
          <legend class="legend">{texts.tier(at + 1)}</legend>
          <div class="quarters">
            <Rate {...props} name={`tier${at}.above`} label={texts.above} />
            {rateNames.map((name) => (
              <Rate key={name} {...props} name={`tier${at}.${name}`} label={texts.rates[name]} />
            ))}
          </div>
        </fieldset>
      ))}
    </More>
  );
}

function Rate(
  { view: { catalog: { faults: { price: faultTexts } } }, values, faults, name, label, autofocus }:
    & PriceFormProps
    & {
      name: string;
      label: string;
      autofocus?: boolean;
    },
) {
  const fault = faultIn(faults, name, faultTexts);
  const field = { name, label, fault, value: values[name], ...(autofocus && { autofocus }) };
  return <TextField {...field} inputMode="decimal" />;
}
