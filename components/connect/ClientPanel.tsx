import { type Client, systems } from "../../lib/console/connect/client.ts";
import {
  type ClientId,
  clientIds,
  clients,
  fileOf,
  settingOf,
  usualClients,
} from "../../lib/console/connect/clients.ts";
import { type ConnectData, connectPath } from "../../lib/console/connect/connect_page.ts";
import { ccSwitchLink } from "../../lib/console/connect/deep_links.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import { A } from "../A.tsx";
import { Icon } from "../Icon.tsx";
import { Panel } from "../Panel.tsx";
import { SheetHead, SheetOpener } from "../Sheet.tsx";
import { Snippet } from "../Snippet.tsx";
import { Empty } from "../States.tsx";
import { untranslated } from "../untranslated.ts";

interface ClientPanelProps {
  readonly view: AccountView;
  readonly origin: string;
  readonly data: ConnectData;
}

/** The choice of clients, and the settings of the chosen one. */
export function ClientPanel({ view, origin, data }: ClientPanelProps) {
  const { connect, models: texts, sheets } = view.catalog;
  const { client, model } = data;
  return (
    <Panel id="client" title={clients[client].name} end={<Systems view={view} data={data} />}>
      <SheetOpener sheet="clients" icon="chevrons-up-down">{sheets.clients}</SheetOpener>
      <nav id="clients" class="sheet client-links" aria-label={connect.clients} popover="auto">
        <SheetHead sheet="clients" title={sheets.clients} close={sheets.close} />
        <Links data={data} ids={usualClients} />
        <details class="more" open={!isUsual(client)}>
          <summary>
            <Icon name="chevron-right" small />
            {connect.more}
          </summary>
          <Links data={data} ids={clientIds.filter((id) => !isUsual(id))} />
        </details>
      </nav>
      {model === undefined
        ? <Empty icon="tags" title={texts.empty} text={texts.emptyText} />
        : (
          <div class="body fields">
            <Choice view={view} data={data} />
            <Setting view={view} data={data} origin={origin} model={model} />
          </div>
        )}
    </Panel>
  );
}

function isUsual(id: ClientId): boolean {
  return usualClients.some((one) => one === id);
}

function Links({ data, ids }: Pick<ClientPanelProps, "data"> & { ids: readonly ClientId[] }) {
  return (
    <div class="client-choice">
      {ids.map((id) => (
        <A
          key={id}
          href={connectPath({ ...data, client: id })}
          current={id === data.client}
          {...untranslated}
        >
          {clients[id].name}
        </A>
      ))}
    </div>
  );
}

function Systems({ view: { catalog: { connect } }, data }: Omit<ClientPanelProps, "origin">) {
  return (
    <nav class="choice-links" aria-label={connect.system}>
      {systems.map((system) => (
        <A key={system} href={connectPath({ ...data, system })} current={system === data.system}>
          {connect[system]}
        </A>
      ))}
    </nav>
  );
}

/** Selects the key and the model if there are several. */
function Choice({ view: { catalog: { connect, log } }, data }: Omit<ClientPanelProps, "origin">) {
  const { client, system, keys, apiKey, models, model } = data;
  if (keys.length < 2 && models.length < 2) return null;
  return (
    <form class="filters" action="/console/connect">
      <input type="hidden" name="client" value={client} />
      <input type="hidden" name="os" value={system} />
      {keys.length > 0 && (
        <select class="input" name="key" aria-label={connect.key} {...untranslated}>
          {keys.map(({ id, name }) => (
            <option key={id} value={id} selected={id === apiKey?.id}>{name}</option>
          ))}
        </select>
      )}
      <select class="input" name="model" aria-label={log.model} {...untranslated}>
        {models.map((id) => <option key={id} value={id} selected={id === model}>{id}</option>)}
      </select>
      <button class="button" type="submit">{connect.use}</button>
    </form>
  );
}

function Setting(
  { view: { catalog: { connect, copy } }, data, origin, model }: ClientPanelProps & {
    model: string;
  },
) {
  const { client: id, system, apiKey } = data;
  const client: Client = clients[id];
  const file = fileOf(client, system);
  const snippet = settingOf(id, { origin, model, system });
  const note = connect.notes[id];
  const link = ccSwitchLink(id, { origin, model });
  return (
    <>
      <p class="soft">
        {client.byHand ? connect.byHand : file ? connect.toFile(file) : connect.paste}{" "}
        {apiKey ? connect.placeholder(apiKey.name) : connect.noKey}
      </p>
      <Snippet
        text={snippet}
        label={connect.setting(client.name)}
        copy={connect.copy(client.name)}
        texts={copy}
      />
      {note !== undefined && <p class="hint">{note}</p>}
      {link !== undefined && (
        <p class="hint">
          <A class="link" href={link}>{connect.ccSwitch}</A> {connect.ccSwitchText}
        </p>
      )}
      <p class="hint">{connect.twice}</p>
      <p>
        <A class="link" href="/docs/start/clients">
          {connect.guide}
          <Icon name="arrow-right" small />
        </A>
      </p>
    </>
  );
}
