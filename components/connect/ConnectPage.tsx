import { connectPath } from "../../lib/console/connect/connect_page.ts";
import type { ConnectData } from "../../lib/console/connect/connect_page.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import { Icon } from "../Icon.tsx";
import { Panel } from "../Panel.tsx";
import { TextField } from "../controls.tsx";
import { CreateKeyLink } from "../keys/CreateKeyAction.tsx";
import { ConsolePage } from "../layout/ConsolePage.tsx";
import { BaseUrls } from "./BaseUrls.tsx";
import { CheckSteps } from "./CheckSteps.tsx";
import { ClientPanel } from "./ClientPanel.tsx";
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
    <details class="more" open={data.fault !== undefined}>
      <summary>
        <Icon name="chevron-right" small />
        {check.pasted}
      </summary>
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
    </details>
  );
}
