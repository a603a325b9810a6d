import type { AccountView } from "../../lib/console/page/view.ts";
import { Empty } from "../States.tsx";

/** There is nobody to talk to: what to do depends on who asks. */
export function NoModels(
  { view: { catalog: { playground }, user } }: { view: AccountView },
) {
  const isAdministrator = user.role === "administrator";
  return (
    <section class="panel">
      <Empty
        icon="message-square"
        heading="h2"
        title={playground.noModels}
        text={isAdministrator ? playground.noModelsAdmin : playground.noModelsMember}
      >
        {isAdministrator && (
          <a class="button primary" href="/console/admin/upstreams/new" aria-current="false">
            {playground.addUpstream}
          </a>
        )}
      </Empty>
    </section>
  );
}
