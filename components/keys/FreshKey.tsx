import type { Client, System } from "../../lib/console/connect/client.ts";
import {
  type ClientId,
  clientIds,
  clients,
  fileOf,
  settingOf,
} from "../../lib/console/connect/clients.ts";
import type { FreshKeyFacts } from "../../lib/console/connect/fresh_key.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import type { ApiKey } from "../../lib/store/api_keys/mod.ts";
import { A } from "../A.tsx";
import { More, Panel } from "../Panel.tsx";
import { Snippet, type SnippetTab, SnippetTabs } from "../Snippet.tsx";
import { FirstCheck, type FirstCheckProps } from "../connect/LiveCheckOf.tsx";
import { SecretPanel } from "./SecretPanel.tsx";

/** A new secret, shown only once, with client settings and the connection check. */
export function FreshKeyPanel(
  { view, title, secret, fresh, origin }: {
    view: AccountView;
    title: string;
    secret: string;
    fresh: FreshKeyFacts | undefined;
    origin: string;
  },
) {
  const { catalog: { secret: texts, copy, welcome } } = view;
  return (
    <Panel id="created" title={title} class="fresh-panel" focused>
      <div class="body fields">
        <SecretPanel secret={secret} texts={texts} copyTexts={copy} />
        {fresh?.model !== undefined && (
          <>
            <h3>{welcome.call}</h3>
            <FreshKey view={view} origin={origin} secret={secret} {...fresh} model={fresh.model} />
          </>
        )}
        <div class="actions">
          <A class="button" href="/console/token">{texts.stored}</A>
        </div>
      </div>
    </Panel>
  );
}

interface FreshKeyProps extends Pick<FirstCheckProps, "live"> {
  readonly view: AccountView;
  readonly origin: string;
  readonly system: System;
  /** Absent if it was shown before. */
  readonly secret?: string | undefined;
  readonly apiKey: Pick<ApiKey, "id" | "name">;
  readonly model: string;
  readonly facts: FreshKeyFacts["facts"];
  readonly sinceMs: number;
}

/** Clients with a tab; the others are folded. */
const usual: readonly ClientId[] = ["curl", "openai-python", "openai-typescript", "claude-code"];

/** The first call with a new key: code examples, client settings and the connection check. */
export function FreshKey(props: FreshKeyProps) {
  const { view, secret, apiKey, model, sinceMs, live } = props;
  const { connect, copy, overview, welcome } = view.catalog;
  return (
    <div class="fields fresh-key">
      <p class="soft">
        {secret === undefined ? connect.placeholder(apiKey.name) : connect.filledIn}
      </p>
      <SnippetTabs
        id="first-call-code"
        label={overview.snippet}
        tabs={usual.map((id) => tabOf(id, props))}
        secret={secret}
        copy={connect.copy}
        texts={copy}
      />
      <More title={welcome.otherClients}>
        <div class="clients">
          {clientIds.filter((id) => !usual.includes(id)).map((id) => (
            <ClientSetting key={id} {...props} tab={tabOf(id, props)} />
          ))}
        </div>
      </More>
      <FirstCheck view={view} apiKey={apiKey} sinceMs={sinceMs} model={model} live={live} />
    </div>
  );
}

function tabOf(
  id: ClientId,
  { view: { catalog: { connect } }, origin, system, secret, model, facts }: FreshKeyProps,
): SnippetTab {
  const client: Client = clients[id];
  const file = fileOf(client, system);
  const note = connect.notes[id];
  const how = client.byHand ? connect.byHand : file ? connect.toFile(file) : connect.paste;
  return {
    name: client.name,
    text: settingOf(id, {
      ...{ origin, model, system, facts },
      ...(secret !== undefined && { key: secret }),
    }),
    before: id === "curl" ? undefined : <p class="soft">{how}</p>,
    after: note === undefined ? undefined : <p class="hint">{note}</p>,
  };
}

function ClientSetting(
  { view: { catalog: { connect, copy } }, secret, tab }: FreshKeyProps & { tab: SnippetTab },
) {
  const { name, text, before, after } = tab;
  return (
    <details class="disclosure" name="client">
      <summary>{name}</summary>
      {before}
      <Snippet
        text={text}
        {...(secret !== undefined && { secret })}
        label={connect.setting(name)}
        copy={connect.copy(name)}
        texts={copy}
      />
      {after}
    </details>
  );
}
