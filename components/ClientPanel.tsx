import CopyButton from "../islands/CopyButton.tsx";
import { type Client, type ClientId, clientIds, clients } from "../lib/console/clients.ts";
import type { AccountView } from "../lib/console/view.ts";
import { Empty } from "./States.tsx";
import { untranslated } from "./untranslated.ts";

interface ClientPanelProps {
  readonly view: AccountView;
  readonly origin: string;
  readonly client: ClientId;
  readonly models: readonly string[];
  /** Absent where the account may call none. */
  readonly model: string | undefined;
}

/** The clients to choose from, and what the chosen one is told. */
export function ClientPanel({ view, origin, client, models, model }: ClientPanelProps) {
  const { connect, models: texts } = view.catalog;
  const chosen: Client = clients[client];
  return (
    <section class="panel" aria-labelledby="client">
      <header>
        <h2 id="client">{chosen.name}</h2>
      </header>
      <nav class="client-links" aria-label={connect.clients}>
        {clientIds.map((id) => (
          <a
            key={id}
            href={pathOf(id, model)}
            aria-current={id === client ? "true" : "false"}
            {...untranslated}
          >
            {clients[id].name}
          </a>
        ))}
      </nav>
      {model === undefined
        ? <Empty icon="tags" title={texts.empty} text={texts.emptyText} />
        : (
          <div class="body fields">
            {models.length > 1 && (
              <ModelChoice view={view} client={client} models={models} model={model} />
            )}
            <Setting view={view} client={chosen} snippet={chosen.snippet({ origin, model })} />
          </div>
        )}
    </section>
  );
}

function ModelChoice(
  { view: { catalog: { connect, log } }, client, models, model }: {
    view: AccountView;
    client: ClientId;
    models: readonly string[];
    model: string;
  },
) {
  return (
    <form class="filters" action="/console/connect">
      <input type="hidden" name="client" value={client} />
      <select class="input" name="model" aria-label={log.model}>
        {models.map((id) => <option key={id} value={id} selected={id === model}>{id}</option>)}
      </select>
      <button class="button" type="submit">{connect.use}</button>
    </form>
  );
}

function Setting(
  { view: { catalog: { connect, copy } }, client, snippet }: {
    view: AccountView;
    client: Client;
    snippet: string;
  },
) {
  const { name, file, byHand } = client;
  return (
    <>
      <p class="soft">
        {byHand ? connect.byHand : file ? connect.toFile(file) : connect.paste} {connect.key}
      </p>
      <div class="snippet">
        <pre tabIndex={0} role="region" aria-label={connect.setting(name)}>
          <code {...untranslated}>{snippet}</code>
        </pre>
        <CopyButton text={snippet} label={connect.copy(name)} texts={copy} />
      </div>
      <p class="hint">{connect.twice}</p>
    </>
  );
}

function pathOf(client: ClientId, model: string | undefined): string {
  const fields = new URLSearchParams({ client, ...(model !== undefined && { model }) });
  return `/console/connect?${fields}`;
}
