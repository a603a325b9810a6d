import { tokenBuckets, totalInputTokens, totalOutputTokens } from "../../lib/canonical/mod.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import type { RequestLogRow } from "../../lib/store/log/mod.ts";
import { Panel } from "../Panel.tsx";
import { Fact, Facts } from "../values.tsx";

/** Tokens of a call by bucket, and the notes of its conversion. */
export function CallTokens({ view, call }: { view: AccountView; call: RequestLogRow }) {
  return (
    <>
      {(call.usage || call.outcome === "completed") && <Tokens view={view} call={call} />}
      {call.notes && call.notes.length > 0 && <Notes view={view} notes={call.notes} />}
    </>
  );
}

function Tokens(
  { view, call }: {
    view: AccountView;
    call: RequestLogRow;
  },
) {
  const { catalog: { call: texts, usage: more }, formats } = view;
  const { usage, usageSource, statedUsage, countedUsage } = call;
  return (
    <Panel id="tokens" title={texts.tokens}>
      <div class="body">
        {usage && usageSource !== "none"
          ? (
            <Facts class="numbers">
              {tokenBuckets
                .filter((bucket) =>
                  usage[bucket] > 0 || bucket === "inputTokens" || bucket === "outputTokens"
                )
                .map((bucket) => (
                  <Fact name={texts.bucket[bucket]}>{formats.count(usage[bucket])}</Fact>
                ))}
              {usageSource && <Fact name={more.source}>{more.sources[usageSource]}</Fact>}
            </Facts>
          )
          : <p class="soft">{texts.noUsage}</p>}
        {usage && usageSource === "counted" && !statedUsage && <p class="hint">{texts.counted}</p>}
        {statedUsage && <p class="hint">{doubtText(texts.doubted.counted, statedUsage, view)}</p>}
        {countedUsage && <p class="hint">{doubtText(texts.doubted.stated, countedUsage, view)}</p>}
      </div>
    </Panel>
  );
}

/** Explains which usage was not charged, and why. */
function doubtText(
  text: (input: string, output: string) => string,
  usage: NonNullable<RequestLogRow["usage"]>,
  { formats }: AccountView,
): string {
  return text(
    formats.count(totalInputTokens(usage)),
    formats.count(totalOutputTokens(usage)),
  );
}

function Notes(
  { view: { catalog: { call: texts } }, notes }: {
    view: AccountView;
    notes: NonNullable<RequestLogRow["notes"]>;
  },
) {
  return (
    <Panel id="notes" title={texts.notes}>
      <div class="body">
        <p class="hint">{texts.notesText}</p>
        <Facts>
          {notes.map(({ path, action, reason }) => (
            <Fact name={texts.noteAction[action]}>
              <code>{path}</code>
              <span class="soft">{reason}</span>
            </Fact>
          ))}
        </Facts>
      </div>
    </Panel>
  );
}
