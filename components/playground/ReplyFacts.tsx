import { type Advantage, type AssistantReply, fill, spanText } from "../../lib/playground/mod.ts";
import { A } from "../A.tsx";
import { untranslated } from "../untranslated.ts";
import type { PlaygroundTexts } from "./texts.ts";

interface ReplyFactsProps {
  readonly turn: AssistantReply;
  readonly advantage: Advantage | undefined;
  readonly texts: PlaygroundTexts;
}

/** The time, speed, cost and tokens from the log, with a link to the call. */
export function ReplyFacts({ turn, advantage, texts }: ReplyFactsProps) {
  const { answer: { finish }, receipt } = turn;
  const better = advantage ? advantageTexts(advantage, texts) : [];
  return (
    <footer class="reply-facts">
      {receipt && (
        <dl>
          {receipt.figures.map(({ name, value }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
      <ul>
        {receipt?.tokens && <li>{receipt.tokens}</li>}
        {better.map((text) => <li key={text} class="better">{text}</li>)}
        {finish && <li>{fill(texts.finish, { reason: finish })}</li>}
        <RequestLink turn={turn} texts={texts} />
      </ul>
    </footer>
  );
}

function advantageTexts({ cheaperPercent, fasterMs }: Advantage, texts: PlaygroundTexts): string[] {
  return [
    ...(cheaperPercent ? [fill(texts.cheaper, { percent: cheaperPercent })] : []),
    ...(fasterMs ? [fill(texts.faster, { span: spanText(fasterMs) })] : []),
  ];
}

/** A link, once the log has the call. */
function RequestLink({ turn: { requestId, receipt }, texts }: Omit<ReplyFactsProps, "advantage">) {
  if (!requestId) return null;
  const id = <code {...untranslated}>{`${requestId.slice(0, 8)}…${requestId.slice(-4)}`}</code>;
  return (
    <li title={requestId}>
      {receipt
        ? (
          <A href={`/console/log/${requestId}`}>
            <span class="unseen">{texts.openCall}</span>
            {id}
          </A>
        )
        : id}
    </li>
  );
}
