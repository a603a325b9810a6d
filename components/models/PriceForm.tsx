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
import type { Catalog } from "../../lib/console/i18n/mod.ts";
import { modelPath } from "../../lib/console/models/model_path.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import { Fold } from "../Fold.tsx";
import { FormAlert } from "../FormAlert.tsx";
import { Icon } from "../Icon.tsx";
import { TextField } from "../controls.tsx";

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
export function PriceForm(props: PriceFoldProps) {
  const { view, id, values, faults, hint, isOpen, isFocused } = props;
  const hasFaults = Object.keys(faults).length > 0;
  const { priceAdmin: texts } = view.catalog;
  return (
    <Fold id="set-price" title={texts.set} value={hint} open={isOpen || hasFaults}>
      <form class="body fields" method="post" action={modelPath(id)} noValidate>
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
      </form>
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
    <details class="more" open={isOpen}>
      <summary>
        <Icon name="chevron-right" small />
        {title}
      </summary>
      <div class="quarters">{children}</div>
    </details>
  );
}

function Tiers(props: PriceFormProps) {
  const { view: { catalog: { priceAdmin: texts } }, values, faults } = props;
  const shown = Array.from({ length: tiersShown(values) }, (_, at) => at);
  const isOpen = shown.some((at) => isFilled(tierFields(at), values, faults));
  return (
    <details class="more" open={isOpen}>
      <summary>
        <Icon name="chevron-right" small />
        {texts.tiersTitle}
      </summary>
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
    </details>
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
