import {
  type FieldValues,
  fill,
  type Lane,
  type ModelChoice,
  type Offer,
  openCalls,
} from "../../lib/playground/mod.ts";
import type { CopyTexts } from "../CopyButton.tsx";
import { Empty } from "../States.tsx";
import { ResultsForm, ResultsTurn } from "./CallView.tsx";
import { LaneHead } from "./LaneHead.tsx";
import { ReplyTurn } from "./ReplyTurn.tsx";
import { SaidTurn } from "./SaidTurn.tsx";
import type { PlaygroundTexts } from "./texts.ts";
import type { ConversationState } from "./use_conversation.ts";

export interface LaneViewProps {
  readonly lane: Lane;
  readonly at: number;
  readonly offer: Offer;
  readonly texts: PlaygroundTexts;
  readonly copyTexts: CopyTexts;
  readonly conversation: ConversationState;
  /** Absent while a field of the settings is invalid. */
  readonly values: FieldValues | undefined;
  readonly onChoose: (choice: ModelChoice) => void;
}

/** One conversation with one model. */
export function LaneView(props: LaneViewProps) {
  const { lane, at, offer, texts, conversation, onChoose } = props;
  const { turns, choice } = lane;
  const title = fill(texts.conversationWith, { model: choice.model });
  return (
    <section class="panel lane" aria-labelledby={`lane-${at}`}>
      <h2 class="unseen" id={`lane-${at}`}>
        {conversation.lanes.length > 1 ? `${at + 1}: ${title}` : title}
      </h2>
      <LaneHead
        choice={choice}
        at={at}
        offer={offer}
        texts={texts}
        disabled={conversation.running}
        onChoose={onChoose}
      />
      {turns.length === 0
        ? (
          <Empty
            icon="message-square"
            title={texts.emptyTitle}
            text={texts.emptyText}
          />
        )
        : (
          <div class="turns">
            <Turns {...props} />
          </div>
        )}
    </section>
  );
}

function Turns({ lane, at, texts, copyTexts, conversation, values }: LaneViewProps) {
  const { running, sayAgain, answerAgain, giveResults } = conversation;
  const free = running ? undefined : values;
  const calls = openCalls(lane);
  return (
    <>
      {lane.turns.map((turn) => {
        const { id } = turn;
        switch (turn.role) {
          case "user":
            return (
              <SaidTurn
                key={id}
                turn={turn}
                texts={texts}
                onSayAgain={free && ((text) => sayAgain(id, text, free))}
              />
            );
          case "assistant":
            return (
              <ReplyTurn
                key={id}
                turn={turn}
                texts={texts}
                copyTexts={copyTexts}
                onAgain={free && (() => answerAgain(at, id, free))}
              />
            );
          case "tool":
            return <ResultsTurn key={id} results={turn.results} texts={texts} />;
          default:
            return turn satisfies never;
        }
      })}
      {calls.length > 0 && (
        <ResultsForm
          key={lane.turns.at(-1)?.id}
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
