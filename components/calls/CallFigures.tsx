import { tokenBuckets, totalInputTokens, totalOutputTokens } from "../../lib/canonical/mod.ts";
import { costAccount, type RatedLine } from "../../lib/console/calls/cost_account.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import { type RequestLogRow, upstreamNanoUsdOf } from "../../lib/store/log/mod.ts";
import { Panel } from "../Panel.tsx";
import { Dollars, Fact, Facts, Figure } from "../values.tsx";

/** The cost, the times and the tokens of a call that was answered; nothing for another. */
export function CallFigures({ view, call }: { view: AccountView; call: RequestLogRow }) {
  const { catalog: { call: texts, modelList, spend, users }, formats } = view;
  const { costNanoUsd, durationMs, firstByteMs, outcome, usage } = call;
  if (outcome !== "completed") return null;
  const speed = tokensPerSecond(call);
  return (
    <section class="strip across" aria-label={users.figures}>
      <Figure
        name={texts.cost.title}
        value={costNanoUsd === undefined || call.replayOf
          ? modelList.notCharged
          : <Dollars nanoUsd={costNanoUsd} formats={formats} />}
      />
      <Figure name={texts.duration} value={formats.span(durationMs)}>
        {speed !== undefined && spend.speed(formats.count(speed))}
      </Figure>
      <Figure
        name={texts.firstByte}
        value={firstByteMs === undefined ? "–" : formats.span(firstByteMs)}
      />
      <Figure
        name={texts.tokens}
        value={usage ? formats.count(totalOutputTokens(usage)) : "–"}
      >
        {usage && texts.forInput(formats.count(totalInputTokens(usage)))}
      </Figure>
    </section>
  );
}

/** The output over the whole call; undefined for a call without any. */
function tokensPerSecond({ usage, durationMs }: RequestLogRow): number | undefined {
  const output = usage && totalOutputTokens(usage);
  return output && durationMs > 0 ? Math.round(output / durationMs * 1_000) : undefined;
}

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

const hostedToolPrefix = "hosted-tool:";
const nanoPerUsd = 1e9;

/** The charge of a call, line by line; nothing if the charge is unknown. */
export function CallCost({ view, call }: { view: AccountView; call: RequestLogRow }) {
  const { catalog: { call: { cost }, usage }, formats, may } = view;
  const isOperator = may("calls:read");
  const account = costAccount(
    isOperator && call.upstreamCost ? { costNanoUsd: 0n, ...call } : call,
  );
  if (account === undefined) return null;
  const { lines, sumNanoUsd, uncoveredNanoUsd, chargedNanoUsd, restNanoUsd } = account;
  return (
    <Panel id="cost" title={cost.title}>
      <div class="body">
        <Facts class="numbers">
          {lines.map((line, at) => <Line key={at} view={view} line={line} />)}
          {restNanoUsd !== 0n && <Fact name={usage.rest}>{formats.exactMoney(restNanoUsd)}</Fact>}
          {uncoveredNanoUsd > 0n && (
            <>
              <Fact name={usage.sum}>{formats.exactMoney(sumNanoUsd + restNanoUsd)}</Fact>
              <Fact name={cost.uncovered}>{formats.exactMoney(-uncoveredNanoUsd)}</Fact>
            </>
          )}
          <Fact name={cost.charged}>
            <strong>{formats.exactMoney(chargedNanoUsd)}</strong>
          </Fact>
          {isOperator && <Margin view={view} call={call} chargedNanoUsd={chargedNanoUsd} />}
        </Facts>
        {lines.length > 0 && <p class="hint">{usage.ratesText}</p>}
      </div>
    </Panel>
  );
}

/** The upstream cost of the call and its margin, for operators. */
function Margin(
  { view, call, chargedNanoUsd }: {
    view: AccountView;
    call: RequestLogRow;
    chargedNanoUsd: bigint;
  },
) {
  const { catalog: { call: { cost } }, formats } = view;
  const upstreamNanoUsd = upstreamNanoUsdOf(call);
  const name = call.upstreamCost?.isStated
    ? (
      <>
        {cost.upstream} <span class="second">{cost.stated}</span>
      </>
    )
    : cost.upstream;
  return (
    <>
      <Fact name={name}>{formats.exactMoney(upstreamNanoUsd)}</Fact>
      <Fact name={cost.margin}>{formats.exactMoney(chargedNanoUsd - upstreamNanoUsd)}</Fact>
    </>
  );
}

function Line({ view, line }: { view: AccountView; line: RatedLine }) {
  const { catalog: { usage }, formats } = view;
  const { bucket, quantity, nanoUsd, rateNanoUsd, per, tier, part } = line;
  const rated = per === 1 ? usage.rateEach : usage.rateTokens;
  return (
    <Fact
      name={
        <>
          {[bucketName(view, bucket), part, tier].filter(Boolean).join(", ")}
          <span class="second">
            {rated(formats.count(quantity), formats.usd(Number(rateNanoUsd) / nanoPerUsd))}
          </span>
        </>
      }
    >
      {formats.exactMoney(nanoUsd)}
    </Fact>
  );
}

function bucketName({ catalog: { call: texts } }: AccountView, bucket: string): string {
  const names: Readonly<Record<string, string>> = texts.bucket;
  if (bucket.startsWith(hostedToolPrefix)) return bucket.slice(hostedToolPrefix.length);
  return Object.hasOwn(names, bucket) ? names[bucket] : texts.cost.request;
}
