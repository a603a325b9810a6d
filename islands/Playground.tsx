import type { CopyTexts } from "../components/CopyButton.tsx";
import { Empty } from "../components/States.tsx";
import { Composer } from "../components/playground/Composer.tsx";
import { CodeDialog, LinkDialog } from "../components/playground/Dialogs.tsx";
import { LaneActions, LaneHeads } from "../components/playground/LaneHeads.tsx";
import { ParametersPanel } from "../components/playground/ParametersPanel.tsx";
import { RoundView } from "../components/playground/RoundView.tsx";
import type { Wires } from "../components/playground/use_conversation.ts";
import {
  news,
  type PlaygroundState,
  type PlaygroundTexts,
  snippetFor,
  usePlayground,
} from "../components/playground/use_playground.ts";
import {
  dialects,
  type Fields,
  type Lane,
  openCalls,
  type PlaygroundOffer,
  roundsOf,
} from "../lib/playground/mod.ts";

export interface PlaygroundProps {
  readonly offer: PlaygroundOffer;
  readonly lanes: readonly Lane[];
  readonly fields: Fields;
  readonly prompt: string;
  /** The base URL of the gateway. */
  readonly origin: string;
  readonly texts: PlaygroundTexts;
  readonly copyTexts: CopyTexts;
}

/** Conversations with models through the gateway. Without a script, its form sends one request. */
export default function Playground(props: PlaygroundProps) {
  const { offer, origin, texts, copyTexts } = props;
  const state = usePlayground(props, wires);
  const { settings, draft, conversation, query, end } = state;
  const { lanes } = conversation;
  return (
    <>
      <div class="stack">
        <LaneActions offer={offer} texts={texts} conversation={conversation}>
          <CodeDialog
            snippet={() => snippetFor(state, origin)}
            texts={texts}
            copyTexts={copyTexts}
          />
          <LinkDialog
            link={`${origin}/console/playground?${query}`}
            written={draft.written()}
            texts={texts}
            copyTexts={copyTexts}
          />
        </LaneActions>
        <LaneHeads offer={offer} texts={texts} conversation={conversation} />
        <Rounds {...state} texts={texts} copyTexts={copyTexts} />
        <Message {...state} texts={texts} />
        <div ref={end} />
        <p class="unseen" role="status">
          {conversation.announced && news(conversation.announced, texts)}
        </p>
      </div>
      <aside class="stack">
        <ParametersPanel
          fields={settings.fields}
          faults={settings.faults}
          values={settings.values}
          texts={texts}
          noStop={lanes.some(({ choice }) => dialects[choice.format].without.includes("stop"))}
          onChange={settings.change}
        />
      </aside>
    </>
  );
}

type Part = PlaygroundState & Pick<PlaygroundProps, "texts">;

function Rounds(
  { conversation, settings, texts, copyTexts }: Part & Pick<PlaygroundProps, "copyTexts">,
) {
  const rounds = roundsOf(conversation.lanes);
  if (rounds.length === 0) {
    return (
      <section class="panel">
        <Empty
          heading="h2"
          icon="message-square"
          title={texts.emptyTitle}
          text={texts.emptyText}
        />
      </section>
    );
  }
  return (
    <>
      <h2 class="unseen">{texts.conversation}</h2>
      {rounds.map((round, at) => (
        <RoundView
          key={round.said.id}
          round={round}
          isLast={at === rounds.length - 1}
          texts={texts}
          copyTexts={copyTexts}
          conversation={conversation}
          values={settings.values}
        />
      ))}
    </>
  );
}

function Message({ conversation, settings: { values }, draft, texts }: Part) {
  const { lanes, running, stop } = conversation;
  const calling = lanes.some((lane) => openCalls(lane).length > 0);
  return (
    <Composer
      text={draft.prompt}
      texts={texts}
      models={lanes.length}
      running={running}
      aside={calling}
      hindrance={!values ? texts.faults.fields : calling ? texts.faults.results : undefined}
      onType={draft.type}
      onStop={stop}
      onSend={(said) => {
        if (!values) return;
        draft.type("");
        conversation.say(said, values);
      }}
    />
  );
}

const wires: Wires = {
  ask: ({ path, body }, groupId, signal) =>
    fetch(`/console/playground/call?${new URLSearchParams({ path, group: groupId })}`, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json" },
      body: JSON.stringify(body),
      signal,
    }),
  readReceipt: async (requestId) => {
    const headers = { accept: "application/json" };
    for (let attempt = 0; attempt < 5; attempt++) {
      const response = await fetch(`/console/playground/receipt?id=${requestId}`, { headers });
      if (response.ok) return await response.json();
      await new Promise((resolve) => setTimeout(resolve, 300)); // its row may not be written yet
    }
  },
};
