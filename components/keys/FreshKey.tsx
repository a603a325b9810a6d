import type { Client, System } from "../../lib/console/connect/client.ts";
import { curlSnippet } from "../../lib/console/connect/client_snippets.ts";
import { clientIds, clients, fileOf, settingOf } from "../../lib/console/connect/clients.ts";
import type { AccountView, ApiKey } from "../../lib/console/page/view.ts";
import { Icon } from "../Icon.tsx";
import { Snippet } from "../Snippet.tsx";
import { FirstCheck } from "../connect/LiveCheckOf.tsx";

interface FreshKeyProps {
  readonly view: AccountView;
  readonly origin: string;
  readonly system: System;
  /** Absent if it was shown before. */
  readonly secret?: string;
  readonly apiKey: Pick<ApiKey, "id" | "name">;
  readonly model: string;
  readonly sinceMs: number;
}

/** The first call with a new key: a snippet, client settings and the connection check. */
export function FreshKey(props: FreshKeyProps) {
  const { view, origin, system, secret, apiKey, model, sinceMs } = props;
  const { connect, copy, overview, welcome } = view.catalog;
  const asked = { model, ...(secret !== undefined && { key: secret }) };
  const text = system === "windows"
    ? settingOf("curl", { origin, system, ...asked })
    : curlSnippet(origin, "chat-completions", asked);
  return (
    <div class="fields fresh-key">
      <p class="soft">
        {secret === undefined ? connect.placeholder(apiKey.name) : connect.filledIn}
      </p>
      <Snippet
        text={text}
        {...(secret !== undefined && { secret })}
        label={overview.snippet}
        copy={overview.copySnippet}
        texts={copy}
      />
      <details class="more">
        <summary>
          <Icon name="chevron-right" small />
          {welcome.otherClients}
        </summary>
        <div class="clients">
          {clientIds.filter((id) => id !== "curl").map((id) => (
            <ClientSetting key={id} {...props} id={id} />
          ))}
        </div>
      </details>
      <FirstCheck view={view} apiKey={apiKey} sinceMs={sinceMs} model={model} />
    </div>
  );
}

function ClientSetting(
  { view, origin, system, secret, model, id }: FreshKeyProps & { id: keyof typeof clients },
) {
  const { connect, copy } = view.catalog;
  const client: Client = clients[id];
  const file = fileOf(client, system);
  const note = connect.notes[id];
  return (
    <details class="disclosure" name="client">
      <summary>{client.name}</summary>
      <p class="soft">
        {client.byHand ? connect.byHand : file ? connect.toFile(file) : connect.paste}
      </p>
      <Snippet
        text={settingOf(id, {
          origin,
          model,
          system,
          ...(secret !== undefined && { key: secret }),
        })}
        {...(secret !== undefined && { secret })}
        label={connect.setting(client.name)}
        copy={connect.copy(client.name)}
        texts={copy}
      />
      {note !== undefined && <p class="hint">{note}</p>}
    </details>
  );
}
