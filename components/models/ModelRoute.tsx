import type { ManagedModel } from "../../lib/console/models/model_page.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import { routeWords } from "../../lib/console/upstreams/upstream_words.ts";
import { Panel } from "../Panel.tsx";
import { A, ListTable, Status, untranslated } from "../list.ts";
import { StateWords } from "../upstreams/UpstreamStatus.tsx";

/** The upstreams of a model in the order in which calls try them, for administrators. */
export function ModelRoute({ view, managed }: { view: AccountView; managed: ManagedModel }) {
  const { catalog: { modelPage: texts }, formats } = view;
  const { route, row: { id: model } } = managed;
  const called = route.filter(({ enabled }) => enabled);
  if (route.length === 0) return null;
  return (
    <Panel
      id="upstreams"
      title={texts.upstreams}
      end={called.length === 1 && <Status tone="warn">{texts.noFallback}</Status>}
    >
      <ListTable
        caption={texts.upstreamsLabel(model)}
        oneLine
        rows={route}
        keyOf={({ id }) => id}
        isOff={({ enabled }) => !enabled}
        columns={[
          {
            head: texts.upstream,
            type: "name",
            at: "name",
            cell: ({ id }) => (
              <A href={`/console/admin/upstreams/${encodeURIComponent(id)}`} {...untranslated}>
                {id}
              </A>
            ),
          },
          {
            head: texts.state,
            at: "below",
            cell: ({ state }) => <StateWords view={view} state={state} />,
          },
          {
            head: texts.upstreamModel,
            cell: ({ upstreamModel = model }) => <code {...untranslated}>{upstreamModel}</code>,
          },
          {
            head: texts.route,
            from: 880,
            class: "quiet wrap",
            cell: ({ verdict }) => verdict && routeWords(verdict, view),
          },
          {
            head: texts.upstreamSuccess,
            type: "number",
            at: "first",
            cell: ({ usage }) =>
              usage?.successShare === undefined ? texts.none : formats.percent(usage.successShare),
          },
          {
            head: texts.upstreamFirstByte,
            type: "number",
            at: "second",
            cell: ({ usage }) =>
              usage?.firstByteMs === undefined ? texts.none : formats.span(usage.firstByteMs.p50),
          },
        ]}
      />
      <p class="hint below">{texts.upstreamNote}</p>
    </Panel>
  );
}
