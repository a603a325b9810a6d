import { useEffect, useRef, useState } from "preact/hooks";
import type { CopyTexts } from "../components/CopyButton.tsx";
import { CodeDialog } from "../components/playground/CodeDialog.tsx";
import { Composer } from "../components/playground/Composer.tsx";
import { LaneActions } from "../components/playground/LaneActions.tsx";
import { LaneView, type LaneViewProps } from "../components/playground/LaneView.tsx";
import { SettingsPanel } from "../components/playground/SettingsPanel.tsx";
import { news } from "../components/playground/news.ts";
import { onEscape } from "../components/playground/on_escape.ts";
import type { PlaygroundTexts } from "../components/playground/texts.ts";
import {
  requestOf,
  useConversation,
  type Wires,
} from "../components/playground/use_conversation.ts";
import { useFollow } from "../components/playground/use_follow.ts";
import {
  dialects,
  type Fields,
  type FieldValues,
  type Lane,
  type Offer,
  openCalls,
  possible,
  readFields,
  settingsQuery,
  validParameters,
  withTurn,
} from "../lib/playground/mod.ts";

export interface PlaygroundProps {
  readonly offer: Offer;
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
  const { settings, draft, conversation, query, end } = usePlayground(props);
  const { lanes, running, stop } = conversation;
  const { values } = settings;
  const shared = { offer, texts, copyTexts, conversation };
  const calling = lanes.some((lane) => openCalls(lane).length > 0);
  return (
    <>
      <div class="stack">
        <LaneActions {...shared} lanes={lanes} link={`${origin}/console/playground?${query}`} />
        <Lanes {...shared} values={values} />
        <Composer
          text={draft.prompt}
          texts={texts}
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
        >
          <CodeDialog
            snippet={() => snippetOf(lanes[0], { prompt: draft.prompt, values, origin })}
            texts={texts}
            copyTexts={copyTexts}
          />
        </Composer>
        <div ref={end} />
        <p class="unseen" role="status">
          {conversation.announced && news(conversation.announced, texts)}
        </p>
      </div>
      <aside class="stack">
        <SettingsPanel
          fields={settings.fields}
          faults={settings.faults}
          texts={texts}
          noStop={lanes.some(({ choice }) => dialects[choice.format].without.includes("stop"))}
          onChange={settings.change}
        />
      </aside>
    </>
  );
}

/** The state of the page, mirrored in its address. Esc stops a running answer. */
function usePlayground(props: PlaygroundProps) {
  const [fields, change] = useState(props.fields);
  const [prompt, type] = useState(props.prompt);
  const conversation = useConversation(props.lanes, wires);
  const { lanes, running, stop } = conversation;
  const choices = lanes.map(({ choice }) => choice);
  const query = settingsQuery({ choices, parameters: validParameters(fields) });
  useEffect(() => history.replaceState(history.state, "", `?${query}`), [query]);
  useEffect(() => running ? onEscape(stop) : undefined, [running]);
  const end = useRef<HTMLDivElement>(null);
  useFollow(end, lanes);
  const settings = { fields, change, ...readFields(fields) };
  return { settings, draft: { prompt, type }, conversation, query, end };
}

function Lanes(
  { offer, conversation, ...shared }: Omit<LaneViewProps, "lane" | "at" | "onChoose">,
) {
  const { lanes, setLanes } = conversation;
  return (
    <div class={lanes.length > 1 ? "lanes two" : "lanes"}>
      {lanes.map((lane, at) => (
        <LaneView
          key={at}
          {...{ ...shared, lane, at, offer, conversation }}
          onChoose={(choice) =>
            setLanes(lanes.with(at, { ...lane, choice: possible(choice, offer) }))}
        />
      ))}
    </div>
  );
}

/** The request that the prompt would send to a lane's model, for the code dialog. */
function snippetOf(
  lane: Lane,
  { prompt, values, origin }: {
    prompt: string;
    values: FieldValues | undefined;
    origin: string;
  },
) {
  if (!values) return undefined;
  const said = withTurn(lane, { role: "user", id: 0, text: prompt || "hello", attachments: [] });
  const { format, model } = lane.choice;
  return { format, model, origin, request: requestOf(said, values) };
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
