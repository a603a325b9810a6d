import { recordingHours } from "../../lib/admin/recordings.ts";
import type { OwnRecording, RecordingState } from "../../lib/console/calls/recordings.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import { Icon } from "../Icon.tsx";
import { Panel } from "../Panel.tsx";

/**
 * Says whether requests and answers of a key or a user are recorded, and lets operators change it.
 * Others see it only while they are.
 */
export function RecordingPanel(
  { view, state, path }: {
    view: AccountView;
    state: RecordingState;
    /** Of the key or the user. */
    path: string;
  },
) {
  const { catalog: { recordings: texts }, formats } = view;
  const { own, ofUser, isChangeable } = state;
  const holding = own ?? ofUser;
  if (!holding && !isChangeable) return null;
  return (
    <Panel id="recording" title={texts.panel}>
      <form class="body" method="post" action={`${path}/recording`}>
        <p class={holding ? undefined : "soft"}>
          {holding ? texts.on(formats.moment(holding.expiresAtMs), holding.startedBy) : texts.off}
          {" "}
          {!own && ofUser && texts.byUser}
        </p>
        {isChangeable && (own ? <Stop view={view} /> : <Start view={view} />)}
      </form>
    </Panel>
  );
}

function Stop({ view: { catalog: { recordings: texts } } }: { view: AccountView }) {
  return (
    <div class="actions start">
      <button class="button" type="submit">{texts.stop}</button>
    </div>
  );
}

function Start({ view: { catalog: { recordings: texts } } }: { view: AccountView }) {
  return (
    <>
      <p class="hint">{texts.what}</p>
      <div class="actions start">
        <select class="input" name="hours" aria-label={texts.duration}>
          {recordingHours.map((hours) => (
            <option key={hours} value={hours} selected={hours === 24}>{texts.hours[hours]}</option>
          ))}
        </select>
        <button class="button" type="submit">{texts.start}</button>
      </div>
    </>
  );
}

/** Reports that the reader's own calls are recorded, with the operator and the end. */
export function RecordingNotice(
  { view, recordings }: { view: AccountView; recordings: readonly OwnRecording[] },
) {
  const { catalog: { recordings: texts }, formats } = view;
  if (recordings.length === 0) return null;
  return (
    <div class="alert across calm" role="note">
      <Icon name="eye" />
      <div>
        <b>{texts.notice}</b>
        {recordings.map(({ keyId = "", keyName, expiresAtMs, startedBy }) => (
          <p key={keyId}>
            {texts.noticeText(
              keyId === "" ? texts.allCalls : texts.oneKey(keyName ?? keyId),
              formats.moment(expiresAtMs),
              startedBy,
            )}
          </p>
        ))}
      </div>
    </div>
  );
}
