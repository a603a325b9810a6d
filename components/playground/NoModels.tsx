import type { AccountView } from "../../lib/console/page/view.ts";
import { A } from "../A.tsx";
import { EmptyPanel } from "../Panel.tsx";

/** The empty state of the playground: a link for those who may add an upstream; others must ask one. */
export function NoModels(
  { view: { catalog: { playground }, opens } }: { view: AccountView },
) {
  const add = "/console/admin/upstreams/new";
  return (
    <EmptyPanel
      icon="message-square"
      title={playground.noModels}
      text={opens(add) ? playground.noModelsAdmin : playground.noModelsMember}
    >
      {opens(add) && <A class="button primary" href={add}>{playground.addUpstream}</A>}
    </EmptyPanel>
  );
}
