import type { AccountView } from "../../lib/console/page/view.ts";
import { A } from "../A.tsx";
import { EmptyPanel } from "../Panel.tsx";

/** The empty state of the playground: administrators can add an upstream, members must ask one. */
export function NoModels(
  { view: { catalog: { playground }, user } }: { view: AccountView },
) {
  const isAdministrator = user.role === "administrator";
  return (
    <EmptyPanel
      icon="message-square"
      title={playground.noModels}
      text={isAdministrator ? playground.noModelsAdmin : playground.noModelsMember}
    >
      {isAdministrator && (
        <A class="button primary" href="/console/admin/upstreams/new">{playground.addUpstream}</A>
      )}
    </EmptyPanel>
  );
}
