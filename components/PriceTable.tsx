import {
  type PriceFaults,
  priceFields,
  type PriceRow,
  type PriceValues,
} from "../lib/console/price_form.ts";
import type { AccountView } from "../lib/console/view.ts";
import { described, Field, FormAlert } from "./Field.tsx";
import { Status } from "./States.tsx";
import { Cell, Column, NameCell, Row, Table } from "./Table.tsx";
import { untranslated } from "./untranslated.ts";

/** What each model costs, and who says so. */
export function PriceTable({ view, rows }: { view: AccountView; rows: readonly PriceRow[] }) {
  const { catalog: { modelPrices: texts }, formats } = view;
  return (
    <Table
      oneLine
      caption={texts.caption}
      label={texts.tableLabel}
      head={
        <>
          <Column>{texts.model}</Column>
          <Column>{texts.source}</Column>
          {priceFields.map((field) => <Column key={field} number>{texts[field]}</Column>)}
        </>
      }
    >
      {rows.map(({ id, source, price, hasMore }) => (
        <Row key={id}>
          <NameCell>
            <span {...untranslated}>{id}</span>
          </NameCell>
          <Cell label={texts.source} class="wrap">
            {source === "nobody" ? <Status tone="bad">{texts.nobody}</Status> : texts[source]}
            {hasMore && `, ${texts.more}`}
          </Cell>
          {priceFields.map((field) => {
            const usd = price?.[field];
            return (
              <Cell key={field} label={texts[field]} class="number">
                {usd === undefined ? texts.none : formats.usd(usd)}
              </Cell>
            );
          })}
        </Row>
      ))}
    </Table>
  );
}

/** Sets what a model costs. */
export function PriceForm(
  { view, values, faults }: { view: AccountView; values: PriceValues; faults: PriceFaults },
) {
  const { modelPrices: texts } = view.catalog;
  const names = ["model", ...priceFields] as const;
  const optional: readonly string[] = ["cachedInput", "cacheWrite", "request"];
  return (
    <section class="panel" aria-labelledby="set">
      <header>
        <h2 id="set">{texts.set}</h2>
      </header>
      <form class="body fields" method="post" action="/console/admin/prices" noValidate>
        {Object.keys(faults).length > 0 && <FormAlert>{texts.problem}</FormAlert>}
        <p class="soft">{texts.setText}</p>
        <div class="quarters">
          {names.map((name) => {
            const fault = faults[name];
            const about = { id: name, fault: fault && texts.fault[fault] };
            return (
              <Field
                key={name}
                {...about}
                label={texts[name]}
                optional={optional.includes(name) ? texts.optional : undefined}
              >
                <input
                  {...described(about)}
                  class="input"
                  name={name}
                  inputMode={name === "model" ? "text" : "decimal"}
                  autocomplete="off"
                  spellcheck={false}
                  value={values[name]}
                />
              </Field>
            );
          })}
        </div>
        <div class="actions start">
          <button class="button primary" type="submit">{texts.save}</button>
        </div>
      </form>
    </section>
  );
}
