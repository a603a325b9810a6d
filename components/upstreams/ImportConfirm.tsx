import type { FaultCode } from "../../lib/admin/faults.ts";
import type { ChosenModel, ImportChoice } from "../../lib/admin/upstreams/import_choice.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import { FormAlert } from "../controls.tsx";
import { Question } from "../layout/QuestionPage.tsx";
import { untranslated } from "../untranslated.ts";

interface ImportConfirmProps {
  readonly view: AccountView;
  readonly id: string;
  readonly choice: ImportChoice;
  readonly fault?: FaultCode<"import">;
  /** The number of added models that would have no price. */
  readonly unpriced: number;
}

/** Confirms an import of models: those to add and those to remove. */
export function ImportConfirm({ view, id, choice, fault, unpriced }: ImportConfirmProps) {
  const { upstreamAdmin: texts } = view.catalog;
  const { added, removed } = choice;
  const path = `/console/admin/upstreams/${id}/import`;
  return (
    <Question
      action={path}
      id="import"
      title={texts.importConfirmTitle(added.length, removed.length)}
      back={path}
      cancel={texts.importBack}
      confirm={!fault && texts.importConfirm}
      tone="primary"
      field={{ name: "confirm", value: "true" }}
    >
      {fault && <FormAlert>{view.catalog.faults.import[fault]}</FormAlert>}
      <Names title={texts.add} names={added.map(nameOf)} />
      <Names title={texts.remove} names={removed} />
      {unpriced > 0 && <p>{texts.unpricedCount(unpriced)}</p>}
      {added.map((model, at) => <Chosen key={model.own} model={model} at={at} />)}
      {removed.map((entry) => <input key={entry} type="hidden" name="drop" value={entry} />)}
    </Question>
  );
}

function nameOf({ id, own }: ChosenModel): string {
  return id === own ? id : `${id} = ${own}`;
}

function Names({ title, names }: { title: string; names: readonly string[] }) {
  if (names.length === 0) return null;
  return (
    <div>
      <h3>{title}</h3>
      <ul class="names" {...untranslated}>{names.map((name) => <li key={name}>{name}</li>)}</ul>
    </div>
  );
}

function Chosen({ model, at }: { model: ChosenModel; at: number }) {
  const { own, id, limits, priceIn, priceOut } = model;
  const fields = [
    ["use", String(at)],
    [`own.${at}`, own],
    [`as.${at}`, id === own ? "" : id],
    [`context.${at}`, String(limits.contextWindow ?? "")],
    [`answer.${at}`, String(limits.maxOutputTokens ?? "")],
    [`in.${at}`, priceIn],
    [`out.${at}`, priceOut],
  ].filter(([, value]) => value !== "");
  return (
    <>
      {fields.map(([name, value]) => <input key={name} type="hidden" name={name} value={value} />)}
    </>
  );
}
