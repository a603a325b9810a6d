import type { CheckStep } from "../../lib/console/connect/check_steps.ts";
import { type Client, systems } from "../../lib/console/connect/client.ts";
import {
  ccSwitchLink,
  type ClientId,
  clientIds,
  clients,
  fileOf,
  settingOf,
  usualClients,
} from "../../lib/console/connect/clients.ts";
import { type ConnectData, connectPath } from "../../lib/console/connect/connect_page.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import { A, Onward } from "../A.tsx";
import { ChoiceLinks } from "../ChoiceLinks.tsx";
import { Icon } from "../Icon.tsx";
import { More, Panel, SheetHead, SheetOpener } from "../Panel.tsx";
import { Snippet } from "../Snippet.tsx";
import { Empty, Status, type StatusTone } from "../States.tsx";
import { TextField } from "../controls.tsx";
import { CreateKeyLink } from "../keys/CreateKeyAction.tsx";
import { ConsolePage } from "../layout/ConsolePage.tsx";
import { untranslated } from "../untranslated.ts";
import { BaseUrls } from "./BaseUrls.tsx";
import { Findings } from "./Findings.tsx";
import { LiveCheckOf } from "./LiveCheckOf.tsx";

interface ConnectPageProps {
  readonly view: AccountView;
  readonly origin: string;
  readonly data: ConnectData;
}

/** The set-up of a client, and the check of its connection. */
export function ConnectPage({ view, origin, data }: ConnectPageProps) {
  return (
    <ConsolePage
      view={view}
      title={view.catalog.connect.title}
      place="connect"
      split
      action={<CreateKeyLink view={view} />}
    >
      <div class="stack">
        {data.steps && <CheckSteps view={view} steps={data.steps} />}
        <ClientPanel view={view} origin={origin} data={data} />
      </div>
      <aside class="stack">
        <CheckPanel view={view} data={data} />
        <BaseUrls view={view} origin={origin} />
      </aside>
    </ConsolePage>
  );
}

function CheckPanel({ view, data }: Omit<ConnectPageProps, "origin">) {
  const { check } = view.catalog;
  const { apiKey, sinceMs, seen, looking } = data;
  return (
    <Panel id="check" title={check.title}>
      <div class="body fields">
        {apiKey
          ? (
            <>
              <LiveCheckOf
                view={view}
                apiKey={apiKey}
                sinceMs={sinceMs}
                seen={seen}
                look={connectPath(data, { since: String(sinceMs) })}
                looking={looking}
              />
              <FromHere view={view} data={data} />
            </>
          )
          : <p class="soft">{check.noKeys}</p>}
        <Pasted view={view} data={data} />
      </div>
    </Panel>
  );
}

/** Hidden fields that keep the chosen client, system, model and key. */
function Chosen({ client, system, model, apiKey }: ConnectData) {
  return (
    <>
      <input type="hidden" name="client" value={client} />
      <input type="hidden" name="os" value={system} />
      {model !== undefined && <input type="hidden" name="model" value={model} />}
      {apiKey && <input type="hidden" name="key" value={apiKey.id} />}
    </>
  );
}

const path = "/console/connect/check";

function FromHere({ view: { catalog: { check } }, data }: Omit<ConnectPageProps, "origin">) {
  return (
    <form class="check-here" method="post" action={path}>
      <Chosen {...data} />
      <button class="button" type="submit">
        <Icon name="refresh-cw" />
        {check.fromHere}
      </button>
      <p class="hint">{check.fromHereText}</p>
    </form>
  );
}

function Pasted({ view: { catalog: { check } }, data }: Omit<ConnectPageProps, "origin">) {
  return (
    <More title={check.pasted} open={data.fault !== undefined}>
      <form class="fields" method="post" action={path} noValidate>
        <Chosen {...data} />
        <TextField
          name="secret"
          type="password"
          label={check.pastedLabel}
          hint={check.pastedHint}
          fault={data.fault}
          spellcheck={false}
          required
        />
        <button class="button" type="submit">{check.pastedSubmit}</button>
      </form>
    </More>
  );
}

const tones = { passed: "ok", failed: "bad", skipped: "off" } as const satisfies Record<
  CheckStep["state"],
  StatusTone
>;

/** The steps of the connection check. */
function CheckSteps(
  { view, steps }: { view: AccountView; steps: readonly CheckStep[] },
) {
  const { catalog: { check, connect, copy }, formats } = view;
  return (
    <Panel id="steps" title={check.steps} focused>
      <ol class="body check-steps">
        {steps.map(({ title, state, tookMs, text, findings }) => (
          <li key={title}>
            <h3>
              {title}
              <Status tone={tones[state]}>{check[state]}</Status>
              {tookMs !== undefined && <span class="took">{formats.span(tookMs)}</span>}
            </h3>
            {text !== "" && <p class="soft">{text}</p>}
            {findings.length > 0 && (
              <Findings findings={findings} copy={copy} copyLabel={connect.copyUrl} />
            )}
          </li>
        ))}
      </ol>
    </Panel>
  );
}

/** The choice of clients, and the settings of the chosen one. */
function ClientPanel({ view, origin, data }: ConnectPageProps) {
  const { connect, models: texts, sheets } = view.catalog;
  const { client, model } = data;
  return (
    <Panel id="client" title={clients[client].name} end={<Systems view={view} data={data} />}>
      <SheetOpener sheet="clients" icon="chevrons-up-down">{sheets.clients}</SheetOpener>
      <nav id="clients" class="sheet client-links" aria-label={connect.clients} popover="auto">
        <SheetHead sheet="clients" title={sheets.clients} close={sheets.close} />
        <Links data={data} ids={usualClients} />
        <More title={connect.more} open={!isUsual(client)}>
          <Links data={data} ids={clientIds.filter((id) => !isUsual(id))} />
        </More>
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

function Links({ data, ids }: Pick<ConnectPageProps, "data"> & { ids: readonly ClientId[] }) {
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

function Systems({ view: { catalog: { connect } }, data }: Omit<ConnectPageProps, "origin">) {
  return (
    <ChoiceLinks
      label={connect.system}
      choices={systems}
      chosen={data.system}
      hrefOf={(system) => connectPath({ ...data, system })}
      texts={connect}
    />
  );
}

/** Selects the key and the model if there are several. */
function Choice({ view: { catalog: { connect, log } }, data }: Omit<ConnectPageProps, "origin">) {
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
  { view: { catalog: { connect, copy } }, data, origin, model }: ConnectPageProps & {
    model: string;
  },
) {
  const { client: id, system, apiKey, facts } = data;
  const client: Client = clients[id];
  const file = fileOf(client, system);
  const snippet = settingOf(id, { origin, model, system, facts });
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
      {id === "codex" && apiKey && (
        <p class="hint">
          <A class="link" href={`/console/connect/catalog?key=${apiKey.id}`} download>
            {connect.catalog}
          </A>{" "}
          {connect.catalogText}
        </p>
      )}
      <p class="hint">{connect.twice}</p>
      <p>
        <Onward href="/docs/start/clients">{connect.guide}</Onward>
      </p>
    </>
  );
}
