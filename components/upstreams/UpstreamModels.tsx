import { modelPath } from "../../lib/console/models/model_path.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import type { UpstreamDetail } from "../../lib/console/upstreams/upstream_detail.ts";
import type { UpstreamModelRow } from "../../lib/console/upstreams/upstream_models.ts";
import { ListTable, type TableColumn } from "../ListTable.tsx";
import { A, untranslated } from "../list.ts";
import { Icon } from "../Icon.tsx";
import { Panel } from "../Panel.tsx";
import { ServedPrice } from "./ServedModels.tsx";
import { StateWords } from "./UpstreamStatus.tsx";
import { percent } from "./UpstreamTable.tsx";

const modelsShown = 12;

/** The models of an upstream, those that need attention first. */
export function UpstreamModels(
  { view, detail: { row: { upstream: { id } }, models } }: {
    view: AccountView;
    detail: UpstreamDetail;
  },
) {
  const { upstreams, upstreamAdmin, upstreamPage: texts } = view.catalog;
  const called = models.filter(({ calls }) => calls > 0).length;
  return (
    <Panel
      id="models"
      title={upstreams.models}
      beside={<span class="faint">{texts.called(called, models.length)}</span>}
      end={
        <A class="link" href={`/console/admin/upstreams/${id}/models`}>
          {models.length > modelsShown ? texts.allModels(models.length) : upstreamAdmin.modelsOpen}
          <Icon name="arrow-right" small />
        </A>
      }
    >
      {models.length === 0 ? <p class="body soft">{texts.catchAll}</p> : (
        <ListTable
          oneLine
          caption={upstreamAdmin.modelsOf(id)}
          columns={columns(view)}
          rows={models.slice(0, modelsShown)}
          keyOf={(model) => model.id}
        />
      )}
    </Panel>
  );
}

function columns(view: AccountView): readonly TableColumn<UpstreamModelRow>[] {
  const { catalog: { upstreams, upstreamAdmin, upstreamPage: texts }, formats } = view;
  return [
    {
      head: upstreamAdmin.modelName,
      type: "name",
      at: "name",
      cell: ({ id }) => <A href={modelPath(id)} {...untranslated}>{id}</A>,
    },
    {
      head: upstreams.state,
      at: "below",
      cell: ({ state, untilMs }) => <StateWords view={view} state={state} untilMs={untilMs} />,
    },
    {
      head: upstreams.calls,
      type: "number",
      cell: ({ calls }) => formats.count(calls),
    },
    {
      head: upstreams.errors,
      type: "number",
      cell: ({ observed }) => observed ? percent(observed.errorShare, view) : upstreams.none,
    },
    {
      head: upstreams.firstByte,
      type: "number",
      cell: ({ observed: { firstByteMs } = {} }) =>
        firstByteMs === undefined ? upstreams.none : formats.span(firstByteMs),
    },
    {
      head: texts.fallback,
      cell: ({ fallbacks }) =>
        fallbacks.length === 0
          ? <span class="faint">{texts.noFallback}</span>
          : <span {...untranslated}>{fallbacks.slice(0, 2).join(", ")}</span>,
    },
    {
      head: upstreamAdmin.modelPrice,
      type: "number",
      at: "first",
      cell: ({ id, price }) => <ServedPrice view={view} price={price} model={id} />,
    },
  ];
}
