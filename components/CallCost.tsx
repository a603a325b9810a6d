import type { AccountView, RequestLogRow } from "../lib/console/view.ts";
import { Fact } from "./CallFacts.tsx";

const hostedToolPrefix = "hosted-tool:";

/** What a call was charged, and for what; nothing where it was charged nothing. */
export function CallCost({ view, call }: { view: AccountView; call: RequestLogRow }) {
  const { catalog: { call: { cost } }, formats } = view;
  const { costNanoUsd, costLines = [], uncoveredNanoUsd = 0n } = call;
  if (costNanoUsd === undefined) return null;
  return (
    <section class="panel" aria-labelledby="cost">
      <header>
        <h2 id="cost">{cost.title}</h2>
      </header>
      <div class="body">
        <dl class="facts numbers">
          {costLines.filter(({ nanoUsd }) => nanoUsd > 0n).map(({ bucket, quantity, nanoUsd }) => (
            <Fact name={`${bucketName(view, bucket)} × ${formats.count(quantity)}`}>
              {formats.money(nanoUsd)}
            </Fact>
          ))}
          <Fact name={cost.charged}>
            <strong>{formats.money(costNanoUsd)}</strong>
          </Fact>
          {uncoveredNanoUsd > 0n && (
            <Fact name={cost.uncovered}>{formats.money(uncoveredNanoUsd)}</Fact>
          )}
        </dl>
      </div>
    </section>
  );
}

function bucketName({ catalog: { call: texts } }: AccountView, bucket: string): string {
  const names: Readonly<Record<string, string>> = texts.bucket;
  if (bucket.startsWith(hostedToolPrefix)) return bucket.slice(hostedToolPrefix.length);
  return Object.hasOwn(names, bucket) ? names[bucket] : texts.cost.request;
}
