import { fill, type Offer, possible } from "../../lib/playground/mod.ts";
import { Icon } from "../Icon.tsx";
import { LaneHead } from "./LaneHead.tsx";
import type { PlaygroundTexts } from "./texts.ts";
import type { ConversationState } from "./use_conversation.ts";

/** The models that answer, each with its group and format. */
export function LaneHeads(
  { offer, texts, conversation: { lanes, running, setLanes } }: {
    offer: Offer;
    texts: PlaygroundTexts;
    conversation: ConversationState;
  },
) {
  return (
    <div class="lanes">
      {lanes.map(({ choice, turns }, at) => (
        <div key={at} class="panel lane-head" role="group" aria-label={label(at, texts)}>
          <LaneHead
            choice={choice}
            at={at}
            offer={offer}
            texts={texts}
            disabled={running}
            onChoose={(choice) =>
              setLanes(lanes.with(at, { choice: possible(choice, offer), turns }))}
          />
          {lanes.length > 1 && (
            <button
              class="icon-button with-script"
              type="button"
              disabled={running}
              aria-label={fill(texts.removeModel, { number: at + 1, model: choice.model })}
              onClick={() => setLanes(lanes.toSpliced(at, 1))}
            >
              <Icon name="x" />
            </button>
          )}
        </div>
      ))}
    </div>
  );
}

function label(at: number, texts: PlaygroundTexts): string {
  return fill(texts.modelNumber, { number: at + 1 });
}
