import { useState } from "preact/hooks";
import {
  type Advantage,
  advantagesOf,
  type AssistantReply,
  type FieldValues,
  fill,
  type Lane,
  openCalls,
  type Round,
  type ToolCall,
  type ToolResult,
} from "../../lib/playground/mod.ts";
import type { CopyTexts } from "../CopyButton.tsx";
import { ReplyTurn } from "./ReplyTurn.tsx";
import { SaidTurn, sendsForm } from "./SaidTurn.tsx";
import type { ConversationState } from "./use_conversation.ts";
import type { PlaygroundTexts } from "./use_playground.ts";

interface RoundViewProps {
  readonly round: Round;
  readonly isLast: boolean;
  readonly texts: PlaygroundTexts;
  readonly copyTexts: CopyTexts;
  readonly conversation: ConversationState;
  /** Absent while a field of the parameters is invalid. */
  readonly values: FieldValues | undefined;
}

/** A message, and below it the answers of all models side by side. */
export function RoundView(props: RoundViewProps) {
  const { round: { said, answers }, texts, conversation, values } = props;
  const free = conversation.running ? undefined : values;
  const advantages = advantagesOf(answers.flatMap(repliesIn));
  return (
    <>
      <SaidTurn
        turn={said}
        texts={texts}
        onSayAgain={free && ((text) => conversation.sayAgain(said.id, text, free))}
      />
      <div class="lanes">
        {answers.map((turns, at) => (
          <div key={at} class="lane stack">
            <Answer {...props} turns={turns} at={at} advantages={advantages} />
          </div>
        ))}
      </div>
    </>
  );
}

function repliesIn(turns: Lane["turns"]): readonly AssistantReply[] {
  return turns.filter((turn) => turn.role === "assistant");
}

interface AnswerProps extends RoundViewProps {
  readonly turns: Lane["turns"];
  readonly at: number;
  readonly advantages: ReadonlyMap<string, Advantage>;
}

/** The turns of one model: several if it called tools. */
function Answer(props: AnswerProps) {
  const { turns, at, isLast, texts, copyTexts, conversation, values, advantages } = props;
  const { lanes, running, answerAgain, giveResults } = conversation;
  const free = running ? undefined : values;
  const calls = isLast ? openCalls(lanes[at]) : [];
  return (
    <>
      {turns.map((turn, index) => {
        if (turn.role !== "assistant") return null;
        const { id, requestId = "" } = turn;
        const next = turns[index + 1];
        if (isCopy(id, props)) return <Continued key={id} turn={turn} texts={texts} />;
        return (
          <ReplyTurn
            key={id}
            turn={turn}
            results={next?.role === "tool" ? next.results : []}
            advantage={advantages.get(requestId)}
            texts={texts}
            copyTexts={copyTexts}
            onAgain={free && (() => answerAgain(at, id, free))}
          />
        );
      })}
      {calls.length > 0 && (
        <ResultsForm
          key={turns.at(-1)?.id}
          calls={calls}
          at={at}
          hindrance={values === undefined ? texts.faults.fields : undefined}
          texts={texts}
          onGive={(results) => free && giveResults(at, results, free)}
        />
      )}
    </>
  );
}

/** True for an answer that a later lane took over from the first one. */
function isCopy(id: number, { at, round }: AnswerProps): boolean {
  return at > 0 && round.answers[0].some((turn) => turn.id === id);
}

function Continued({ turn, texts }: { turn: AssistantReply; texts: PlaygroundTexts }) {
  return <p class="hint continued">{fill(texts.continued, { model: turn.model })}</p>;
}

/** The form for the results of the model's tool calls. */
function ResultsForm(
  { calls, at, hindrance, texts, onGive }: {
    calls: readonly ToolCall[];
    /** The index of the lane. */
    at: number;
    /** The reason why the results cannot be sent now. */
    hindrance: string | undefined;
    texts: PlaygroundTexts;
    onGive: (results: readonly ToolResult[]) => void;
  },
) {
  const [given, give] = useState<Readonly<Record<string, string>>>({});
  return (
    <form
      class="panel results fields"
      onSubmit={(event) => {
        event.preventDefault();
        if (hindrance !== undefined) return;
        onGive(calls.map(({ id, name }) => ({ callId: id, name, text: given[id] ?? "" })));
      }}
    >
      {calls.map(({ id, name }) => (
        <div class="field" key={id}>
          <label for={`result-${at}-${id}`}>{fill(texts.result, { name })}</label>
          <textarea
            class="input"
            id={`result-${at}-${id}`}
            rows={2}
            spellcheck={false}
            value={given[id] ?? ""}
            onInput={({ currentTarget }) => give({ ...given, [id]: currentTarget.value })}
            onKeyDown={sendsForm}
          />
        </div>
      ))}
      {hindrance && <p class="hint" role="alert">{hindrance}</p>}
      <div class="actions">
        <button class="button" type="submit">{texts.giveResults}</button>
      </div>
    </form>
  );
}
