import type { ComponentChildren } from "preact";
import { type Lane, lanesMax, type Offer, possible } from "../../lib/playground/mod.ts";
import { Icon } from "../Icon.tsx";
import type { PlaygroundTexts } from "./texts.ts";
import type { ConversationState } from "./use_conversation.ts";

/** Actions on all conversations; the children are at the other end. */
export function LaneActions(
  { offer, texts, conversation, children }: {
    offer: Offer;
    texts: PlaygroundTexts;
    conversation: ConversationState;
    children: ComponentChildren;
  },
) {
  const { lanes, running, setLanes, clear } = conversation;
  return (
    <div class="lane-actions with-script">
      <button
        class="button small"
        type="button"
        disabled={running || lanes.length === lanesMax}
        onClick={() => setLanes([...lanes, anotherLane(lanes, offer)])}
      >
        <Icon name="plus" small />
        {texts.addModel}
      </button>
      {lanes.some(({ turns }) => turns.length > 0) && (
        <button class="button small" type="button" onClick={clear}>
          <Icon name="trash-2" small />
          {texts.clear}
        </button>
      )}
      <span class="spacer" />
      {children}
    </div>
  );
}

/** A lane that continues the first one with a model that no lane has. */
function anotherLane(lanes: readonly Lane[], offer: Offer): Lane {
  const [{ choice, turns }] = lanes;
  const taken = new Set(lanes.map(({ choice }) => choice.model));
  const model = offer.models.find(({ id }) => !taken.has(id)) ?? offer.models[0];
  return { choice: possible({ ...choice, model: model.id }, offer), turns };
}
