import { type Lane, type Offer, possible } from "../../lib/playground/mod.ts";
import { CopyButton, type CopyTexts } from "../CopyButton.tsx";
import { Icon } from "../Icon.tsx";
import type { PlaygroundTexts } from "./texts.ts";
import type { ConversationState } from "./use_conversation.ts";

/** Actions on all conversations: compare, clear, copy link. */
export function LaneActions(
  { lanes, offer, link, texts, copyTexts, conversation }: {
    lanes: readonly Lane[];
    offer: Offer;
    /** The address of the playground with these settings. */
    link: string;
    texts: PlaygroundTexts;
    copyTexts: CopyTexts;
    conversation: ConversationState;
  },
) {
  const { running, setLanes, clear } = conversation;
  const [first] = lanes;
  const other = offer.models.find(({ id }) => id !== first.choice.model) ?? offer.models[0];
  const compare = () =>
    setLanes([
      first,
      { choice: possible({ ...first.choice, model: other.id }, offer), turns: first.turns },
    ]);
  return (
    <div class="lane-actions with-script">
      <button
        class="button small"
        type="button"
        disabled={running}
        onClick={lanes.length > 1 ? () => setLanes([first]) : compare}
      >
        <Icon name="columns-2" small />
        {lanes.length > 1 ? texts.single : texts.compare}
      </button>
      {lanes.some(({ turns }) => turns.length > 0) && (
        <button class="button small" type="button" onClick={clear}>
          <Icon name="trash-2" small />
          {texts.clear}
        </button>
      )}
      <span class="spacer" />
      <span class="link-copy">
        {texts.linkShort}
        <CopyButton text={link} label={texts.link} texts={copyTexts} />
      </span>
    </div>
  );
}
