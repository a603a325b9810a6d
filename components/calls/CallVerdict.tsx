import { callTone } from "../../lib/console/calls/call_tone.ts";
import { saidOf, verdictLanguage } from "../../lib/console/calls/call_words.ts";
import {
  type AccountView,
  type RequestLogRow,
  sentenceOf,
  verdictOf,
} from "../../lib/console/page/view.ts";
import { CopyButton } from "../CopyButton.tsx";
import { Icon } from "../Icon.tsx";
import { Panel } from "../Panel.tsx";
import { toneIcon } from "../States.tsx";
import { untranslated } from "../untranslated.ts";
import { RefusedBy } from "./RefusedBy.tsx";

/**
 * The outcome of a call in one sentence, followed by the message of the upstream or the gateway.
 */
export function CallVerdict(
  { view, call, contact }: { view: AccountView; call: RequestLogRow; contact: string },
) {
  const { call: texts, copy } = view.catalog;
  const tone = callTone(call);
  const verdict = verdictOf(call);
  const said = verdict && saidOf(verdict, view);
  return (
    <Panel
      id="verdict"
      title={texts.happened}
      end={
        <span class="id-line">
          <code {...untranslated}>{call.id}</code>
          <CopyButton text={call.id} label={texts.copyId} texts={copy} />
        </span>
      }
    >
      <div class={`body verdict ${tone}`}>
        <Icon name={toneIcon(tone)} />
        <p class="cause">
          {verdict ? sentenceOf(verdict, verdictLanguage(view)) : texts.sentence[call.outcome]}
        </p>
        {said && (
          <p class="said">
            <span class="soft">
              {said.by === undefined ? texts.reason : texts.upstreamSaid(said.by)}
            </span>
            <code {...untranslated}>{said.message}</code>
          </p>
        )}
        <RefusedBy view={view} call={call} contact={contact} />
      </div>
    </Panel>
  );
}
