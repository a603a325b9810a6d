import CopyButton from "../islands/CopyButton.tsx";
import { callTone } from "../lib/console/call_tone.ts";
import { causeOf, remedyOf } from "../lib/console/call_words.ts";
import type { AccountView, RequestLogRow } from "../lib/console/view.ts";
import { Icon } from "./Icon.tsx";
import { RefusedBy } from "./RefusedBy.tsx";
import { toneIcon } from "./States.tsx";
import { untranslated } from "./untranslated.ts";

/** What became of a call in one sentence, and what to do about it. */
export function Verdict(
  { view, call, contact }: { view: AccountView; call: RequestLogRow; contact: string },
) {
  const { call: texts, copy } = view.catalog;
  const tone = callTone(call);
  const cause = causeOf(call, view);
  const remedy = remedyOf(call, view);
  return (
    <section class="panel" aria-labelledby="verdict">
      <header>
        <h2 id="verdict">{texts.happened}</h2>
        <span class="spacer" />
        <span class="id-line">
          <code {...untranslated}>{call.id}</code>
          <CopyButton text={call.id} label={texts.copyId} texts={copy} />
        </span>
      </header>
      <div class={`body verdict ${tone}`}>
        <Icon name={toneIcon(tone)} />
        <p>
          {texts.sentence[call.outcome]} {cause && <span class="cause">{cause}.</span>}
        </p>
        {remedy && <p class="soft">{remedy}</p>}
        <RefusedBy view={view} call={call} contact={contact} />
      </div>
    </section>
  );
}
