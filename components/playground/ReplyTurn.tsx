import { type AssistantReply, fill } from "../../lib/playground/mod.ts";
import { A } from "../A.tsx";
import { CopyButton, type CopyTexts } from "../CopyButton.tsx";
import { Icon } from "../Icon.tsx";
import { untranslated } from "../untranslated.ts";
import { CallView } from "./CallView.tsx";
import { ProblemView } from "./ProblemView.tsx";
import { RawView } from "./RawView.tsx";
import type { PlaygroundTexts } from "./texts.ts";

interface ReplyTurnProps {
  readonly turn: AssistantReply;
  readonly texts: PlaygroundTexts;
  readonly copyTexts: CopyTexts;
  /** Absent while an answer is running. */
  readonly onAgain?: () => void;
}

/** One streaming answer: reasoning, text, tool calls, error, and cost. */
export function ReplyTurn({ turn, texts, copyTexts, onAgain }: ReplyTurnProps) {
  const { answer, state, model } = turn;
  const { reasoning, text, calls, problem } = answer;
  const silent = text === "" && reasoning === "" && calls.length === 0;
  return (
    <article class="turn reply" aria-label={model} aria-busy={state === "running"}>
      <header>
        <h3 {...untranslated}>{model}</h3>
        <span class="spacer" />
        {text && <CopyButton text={text} label={texts.copyAnswer} texts={copyTexts} />}
        {onAgain && state !== "running" && (
          <button
            class="icon-button with-script"
            type="button"
            aria-label={texts.regenerate}
            title={texts.regenerate}
            onClick={onAgain}
          >
            <Icon name="refresh-cw" />
          </button>
        )}
      </header>
      {reasoning && (
        <details class="thoughts" open={text === ""}>
          <summary>
            <Icon name="chevron-right" small />
            {texts.thoughts}
          </summary>
          <p class="words">{reasoning}</p>
        </details>
      )}
      {text && <p class="words">{text}</p>}
      {calls.map((call) => <CallView key={call.id} call={call} texts={texts} />)}
      {state === "running" && <p class="soft">{silent ? texts.waiting : texts.speaking}</p>}
      {state === "whole" && silent && <p class="soft">{texts.emptyAnswer}</p>}
      {state === "stopped" && <p class="soft">{texts.stopped}</p>}
      {state === "broken" && (
        <div class="alert">
          <Icon name="circle-alert" />
          <p>{texts.broken}</p>
        </div>
      )}
      {problem && (
        <ProblemView
          problem={problem}
          begun={!silent}
          remedy={turn.receipt?.remedy}
          texts={texts}
        />
      )}
      {state !== "running" && <ReplyFacts turn={turn} texts={texts} />}
      {state !== "running" && <RawView turn={turn} texts={texts} />}
    </article>
  );
}

/** The cost and duration from the log, with a link to the call. */
function ReplyFacts(
  { turn: { answer, receipt, requestId, firstTokenMs }, texts }: {
    turn: AssistantReply;
    texts: PlaygroundTexts;
  },
) {
  const ms = firstTokenMs === undefined ? undefined : Math.round(firstTokenMs);
  const facts = [
    ...receipt?.facts ?? [],
    ...(ms === undefined ? [] : [fill(texts.firstToken, { ms })]),
    ...(answer.finish ? [fill(texts.finish, { reason: answer.finish })] : []),
  ];
  return (
    <ul class="turn-facts">
      {facts.map((fact) => <li key={fact}>{fact}</li>)}
      {requestId && (
        <li>
          {receipt
            ? (
              <A href={`/console/log/${requestId}`} aria-label={`${texts.openCall}: ${requestId}`}>
                <code {...untranslated}>{requestId}</code>
              </A>
            )
            : <code {...untranslated}>{requestId}</code>}
        </li>
      )}
    </ul>
  );
}
