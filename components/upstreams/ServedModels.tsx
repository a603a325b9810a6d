import type { ServedModel } from "../../lib/admin/upstreams/served_models.ts";
import { setPricePath } from "../../lib/console/models/model_list.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import { A } from "../A.tsx";
import { Form } from "../Form.tsx";
import { Panel } from "../Panel.tsx";
import { Empty, Status } from "../States.tsx";
import { ListTable, type TableColumn } from "../Table.tsx";
import { untranslated } from "../untranslated.ts";

interface ServedModelsProps {
  readonly view: AccountView;
  readonly id: string;
  readonly models: readonly ServedModel[];
  readonly atOnce: number;
  /** Set if the form was sent without a selection. */
  readonly choseNothing: boolean;
}

/** The models of an upstream with their facts, to select those to test. */
export function ServedModels({ view, id, models, atOnce, choseNothing }: ServedModelsProps) {
  const { upstreamAdmin: texts } = view.catalog;
  return (
    <Panel id="models" title={texts.modelsTitle}>
      {models.length === 0
        ? (
          <Empty icon="layers" title={texts.modelsNone} text={texts.modelsNoneText}>
            <A class="button" href={`/console/admin/upstreams/${id}/import`}>
              {texts.modelsImport}
            </A>
          </Empty>
        )
        : (
          <Form action={`/console/admin/upstreams/${id}/models`}>
            <p class="hint below">{texts.modelsText(atOnce)}</p>
            {choseNothing && <p class="hint below" role="alert">{texts.testNothing}</p>}
            <ListTable
              oneLine
              caption={texts.modelsOf(id)}
              rows={models}
              keyOf={(model) => model.id}
              columns={columns(view)}
            />
            <div class="bar-actions">
              <button class="button" type="submit">{texts.testChosen}</button>
              <button class="button" type="submit" name="all" value="true">{texts.testAll}</button>
            </div>
          </Form>
        )}
    </Panel>
  );
}

function columns(view: AccountView): readonly TableColumn<ServedModel>[] {
  const { upstreamAdmin: texts } = view.catalog;
  return [
    {
      head: texts.modelTest,
      unseen: true,
      class: "tick",
      cell: ({ id }) => (
        <input type="checkbox" name="model" value={id} aria-label={texts.testModel(id)} />
      ),
    },
    {
      head: texts.modelName,
      type: "name",
      cell: ({ id }) => <span {...untranslated}>{id}</span>,
    },
    {
      head: texts.modelOwn,
      class: "wrap quiet",
      cell: ({ upstreamModel = texts.none }) => <span {...untranslated}>{upstreamModel}</span>,
    },
    {
      head: texts.modelLimits,
      type: "number",
      cell: (model) => <ServedLimits view={view} model={model} />,
    },
    {
      head: texts.modelPrice,
      type: "number",
      cell: ({ id, price }) => <ServedPrice view={view} price={price} model={id} />,
    },
  ];
}

/** Context window and output limit, if known. */
export function ServedLimits(
  { view: { catalog, formats }, model: { contextWindow, maxOutputTokens } }: {
    view: AccountView;
    model: Pick<ServedModel, "contextWindow" | "maxOutputTokens">;
  },
) {
  const { none } = catalog.upstreamAdmin;
  const text = (count: number | undefined) => count === undefined ? none : formats.short(count);
  return <>{`${text(contextWindow)} · ${text(maxOutputTokens)}`}</>;
}

/** Per million input and output tokens, or a note that there is no price, which leads to its form. */
export function ServedPrice(
  { view, price, model }: {
    view: AccountView;
    price: ServedModel["price"];
    /** Absent for a model that is not added yet. */
    model?: string;
  },
) {
  const { catalog: { upstreamAdmin: texts }, formats } = view;
  if (!price) {
    const none = <Status tone="warn">{texts.noPrice}</Status>;
    return model ? <A href={setPricePath(model)}>{none}</A> : none;
  }
  return <>{`${formats.usd(price.input)} · ${formats.usd(price.output)}`}</>;
}
