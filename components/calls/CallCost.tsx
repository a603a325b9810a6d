import { costAccount, type RatedLine } from "../../lib/console/calls/cost_account.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import type { RequestLogRow } from "../../lib/store/log/mod.ts";
import { Panel } from "../Panel.tsx";
import { Fact, Facts } from "../values.tsx";

const hostedToolPrefix = "hosted-tool:";
const nanoPerUsd = 1e9;

/** The charge of a call, line by line; nothing if the charge is unknown. */
export function CallCost({ view, call }: { view: AccountView; call: RequestLogRow }) {
  const { catalog: { call: { cost }, usage }, formats } = view;
  const account = costAccount(call);
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
        </Facts>
        {lines.length > 0 && <p class="hint">{usage.ratesText}</p>}
      </div>
    </Panel>
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
