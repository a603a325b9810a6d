import { baseUrls } from "../../lib/console/connect/base_urls.ts";
import { clients, usualClients } from "../../lib/console/connect/clients.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import { A, Onward } from "../A.tsx";
import { CopyButton } from "../CopyButton.tsx";
import { Panel } from "../Panel.tsx";
import { untranslated } from "../untranslated.ts";
import { Fact } from "../values.tsx";

/** The base URLs to configure in a client, one for each format. */
export function BaseUrls({ view, origin }: { view: AccountView; origin: string }) {
  const { overview, copy, apiReference } = view.catalog;
  return (
    <Panel id="base-url" title={overview.baseUrl}>
      <dl class="body urls">
        {baseUrls(origin, view.catalog).map(({ what, baseUrl }) => (
          <Fact name={what} class="copy-line">
            <code {...untranslated}>{baseUrl}</code>
            <CopyButton text={baseUrl} label={overview.copyUrl(what)} texts={copy} />
          </Fact>
        ))}
      </dl>
      <p class="body">
        <Onward href="/docs/api">{apiReference}</Onward>
      </p>
    </Panel>
  );
}

/** Links to the settings of common clients. */
export function ClientLinks({ view: { catalog: { connect } } }: { view: AccountView }) {
  return (
    <Panel
      id="clients"
      title={connect.title}
      end={<Onward href="/console/connect">{connect.all}</Onward>}
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
