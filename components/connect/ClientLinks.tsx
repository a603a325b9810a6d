import { clients, usualClients } from "../../lib/console/connect/clients.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import { A } from "../A.tsx";
import { Icon } from "../Icon.tsx";
import { Panel } from "../Panel.tsx";
import { untranslated } from "../untranslated.ts";

/** Links to the settings of common clients. */
export function ClientLinks({ view: { catalog: { connect } } }: { view: AccountView }) {
  return (
    <Panel
      id="clients"
      title={connect.title}
      end={
        <A class="link" href="/console/connect">
          {connect.all}
          <Icon name="arrow-right" small />
        </A>
      }
    >
      <nav class="client-links" aria-label={connect.clients}>
        {usualClients.map((id) => (
          <A key={id} href={`/console/connect?client=${id}`} {...untranslated}>
            {clients[id].name}
          </A>
        ))}
      </nav>
    </Panel>
  );
}
