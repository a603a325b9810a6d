import { callTone, causeOf } from "../../lib/console/calls/call_words.ts";
import { deniedDays, type KeyPageData, type SeenFrom } from "../../lib/console/keys/key_page.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import type { ApiKey } from "../../lib/store/api_keys/mod.ts";
import { A } from "../A.tsx";
import { Icon } from "../Icon.tsx";
import { Fold, Panel } from "../Panel.tsx";
import { Failed, Status } from "../States.tsx";
import { untranslated } from "../untranslated.ts";
import { Time } from "../values.tsx";

interface KeyUseProps {
  readonly view: AccountView;
  readonly apiKey: ApiKey;
  readonly data: KeyPageData;
}

/** The latest failed calls, with their causes. */
export function KeyErrors({ view, data: { errors } }: KeyUseProps) {
  const { catalog: { keyList, log }, formats } = view;
  if (errors?.length === 0) return null;
  return (
    <Panel id="key-errors" title={keyList.errors}>
      {errors === undefined ? <Failed view={view} title={log.failed} /> : (
        <ul class="latest">
          {errors.map((call) => (
            <li>
              <Status tone={callTone(call)}>{call.status}</Status>
              <A href={`/console/log/${call.id}`}>{causeOf(call, view) ?? call.id}</A>
              <Time atMs={call.atMs} formats={formats} />
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

/** The addresses and programs that used the key recently. */
export function KeyCallers({ view, data: { callers } }: KeyUseProps) {
  const { catalog: { keyList, logPage }, formats } = view;
  if (callers === undefined || callers.calls === 0) return null;
  return (
    <Panel
      id="key-callers"
      title={keyList.seen}
      beside={
        <span class="faint">{keyList.seenOf(logPage.calls(formats.count(callers.calls)))}</span>
      }
    >
      <div class="body seen">
        <SeenList view={view} title={keyList.addresses} seen={callers.addresses} />
        <SeenList view={view} title={keyList.clients} seen={callers.clients} />
      </div>
    </Panel>
  );
}

function SeenList(
  { view: { catalog: { keyList }, formats }, title, seen }: {
    view: AccountView;
    title: string;
    seen: readonly SeenFrom[];
  },
) {
  return (
    <div>
      <h3>{title}</h3>
      <ul>
        {seen.map(({ name, count, lastMs }) => (
          <li>
            <span {...untranslated}>{name ?? keyList.unknownClient}</span>
            <span class="soft">{formats.count(count)}</span>
            <Time atMs={lastMs} formats={formats} />
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The audit log of the key. */
export function KeyChanges({ view, data: { changes } }: KeyUseProps) {
  const { catalog: { keyList, audit }, formats } = view;
  const [last] = changes ?? [];
  const hint = last &&
    `${audit.actions[last.action]} ${keyList.by(last.actorName)}, ${formats.ago(last.atMs)}`;
  return (
    <Fold id="key-changes" title={keyList.changes} value={hint}>
      {changes === undefined || changes.length === 0
        ? <p class="body soft">{keyList.noChanges}</p>
        : (
          <ul class="body changes">
            {changes.map((entry) => (
              <li>
                <p>
                  <b>{audit.actions[entry.action]}</b>{" "}
                  <span class="soft">{keyList.by(entry.actorName)}</span>{" "}
                  <Time atMs={entry.atMs} formats={formats} />
                </p>
                {entry.changes.map(({ field, before, after }) => (
                  <p class="second">{formats.pair(field, `${before ?? "–"} → ${after ?? "–"}`)}</p>
                ))}
              </li>
            ))}
          </ul>
        )}
    </Fold>
  );
}

/**
 * Calls of the key that were refused before the log, by reason and with a remedy; nothing if there
 * were none.
 */
export function KeyDenied({ view, data: { denied } }: { view: AccountView; data: KeyPageData }) {
  if (denied === undefined || denied.length === 0) return null;
  const { catalog: { attention, keyPage }, formats } = view;
  return (
    <Panel
      id="key-denied"
      title={keyPage.denied}
      beside={<span class="faint">{keyPage.deniedDays(deniedDays)}</span>}
    >
      <ul class="attention">
        {denied.map(({ reason, count, more, lastMs, ip }) => (
          <li key={reason} class="bad">
            <Icon name="circle-alert" />
            <p>
              {keyPage.deniedFor[reason](
                attention.calls(more ? `${formats.count(count)}+` : formats.count(count)),
              )}
            </p>
            <p>
              {keyPage.deniedLast} <Time atMs={lastMs} formats={formats} as="moment" />
              {" · "}
              <span {...untranslated}>{ip}</span>
            </p>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
