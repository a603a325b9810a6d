import {
  type Advantage,
  type AssistantReply,
  dataUrl,
  fill,
  type ToolResult,
} from "../../lib/playground/mod.ts";
import { CopyButton, type CopyTexts } from "../CopyButton.tsx";
import { Icon } from "../Icon.tsx";
import { Markdown } from "../markdown/Markdown.tsx";
import { untranslated } from "../untranslated.ts";
import { CallView } from "./CallView.tsx";
import { ProblemView } from "./ProblemView.tsx";
import { RawView } from "./RawView.tsx";
import { ReplyFacts } from "./ReplyFacts.tsx";
import type { PlaygroundTexts } from "./texts.ts";

interface ReplyTurnProps {
  readonly turn: AssistantReply;
  /** The results of the answer's tool calls. */
  readonly results: readonly ToolResult[];
  /** Set if the answer is cheaper or faster than those beside it. */
  readonly advantage: Advantage | undefined;
  readonly texts: PlaygroundTexts;
  readonly copyTexts: CopyTexts;
  /** Absent while an answer is running. */
  readonly onAgain?: () => void;
}

/** One streaming answer: reasoning, text, images, tool calls, error, and cost. */
export function ReplyTurn(props: ReplyTurnProps) {
  const { turn, results, advantage, texts, copyTexts } = props;
  const { answer: { reasoning, text, images, calls }, state, model } = turn;
  const growing = state === "running";
  return (
    <article class="panel reply" aria-label={model} aria-busy={growing}>
      <ReplyHead {...props} />
      <div class="reply-body">
        {reasoning && (
          <details class="fold" open={growing && text === ""}>
            <summary>
              <Icon name="chevron-right" small />
              {texts.thoughts}
            </summary>
            <p class="words">{reasoning}</p>
          </details>
        )}
        {calls.map((call) => (
          <CallView
            key={call.id}
            call={call}
            result={results.find(({ callId }) => callId === call.id)}
            texts={texts}
          />
        ))}
        <Markdown // without a text too: its script loads while the model is still silent
          text={text}
          growing={growing}
          texts={{ copyCode: texts.copyCode, copy: copyTexts }}
        />
        {images.map((image, at) => (
          <img
            key={at}
            class="picture"
            src={dataUrl(image)}
            alt={fill(texts.picture, { number: at + 1, model })}
          />
        ))}
        <ReplyState {...props} />
        {!growing && <RawView turn={turn} texts={texts} />}
      </div>
      {!growing && <ReplyFacts turn={turn} advantage={advantage} texts={texts} />}
    </article>
  );
}

function ReplyHead({ turn, texts, copyTexts, onAgain }: ReplyTurnProps) {
  const { answer: { text }, state, model } = turn;
  return (
    <header>
      <h3 {...untranslated}>{model}</h3>
      <span class="spacer" />
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
      {text && <CopyButton text={text} label={texts.copyAnswer} texts={copyTexts} />}
    </header>
  );
}

/** A note on an answer that is running, empty, stopped or incomplete. */
function ReplyState({ turn, texts }: ReplyTurnProps) {
  const { answer: { reasoning, text, images, calls, problem }, state, receipt } = turn;
  const silent = [reasoning, text, images, calls].every(({ length }) => length === 0);
  return (
    <>
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
        <ProblemView problem={problem} begun={!silent} remedy={receipt?.remedy} texts={texts} />
      )}
    </>
  );
}
