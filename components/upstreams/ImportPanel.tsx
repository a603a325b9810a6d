import type { AccountView } from "../../lib/console/page/view.ts";
import { LateParts } from "../../lib/console/upstreams/streamed.tsx";
import { A } from "../A.tsx";
import { Icon } from "../Icon.tsx";
import { Panel } from "../Panel.tsx";
import { Empty } from "../States.tsx";
import { untranslated } from "../untranslated.ts";

/** The page while an upstream's model list loads, and the frame of the result. */
export function ImportPanel({ view }: { view: AccountView }) {
  const { upstreamAdmin: texts } = view.catalog;
  return (
    <>
      <Panel id="import" title={texts.modelsImport}>
        <p class="hint below">{texts.importText}</p>
        <p class="working" role="status">
          <Icon name="refresh-cw" small />
          {texts.importing}
        </p>
        <LateParts />
      </Panel>
    </>
  );
}

/** The reason why there is no list. */
export function ImportFailed(
  { view, id, said }: { view: AccountView; id: string; said: string },
) {
  const { upstreamAdmin: texts, lists } = view.catalog;
  return (
    <div class="arrived" {...untranslated}>
      <Empty icon="triangle-alert" title={texts.importFailed} text={said}>
        <A class="button" href={`/console/admin/upstreams/${id}/import`}>{lists.retry}</A>
      </Empty>
    </div>
  );
}
