import { useEffect, useRef, useState } from "preact/hooks";
import { CodeDialog } from "../components/playground/CodeDialog.tsx";
import { Composer } from "../components/playground/Composer.tsx";
import { LaneView } from "../components/playground/LaneView.tsx";
import { SettingsPanel } from "../components/playground/SettingsPanel.tsx";
import { useFollow } from "../components/playground/use_follow.ts";
import { news } from "../components/playground/news.ts";
import { onEscape } from "../components/playground/on_escape.ts";
import type { PlaygroundTexts } from "../components/playground/texts.ts";
import { LaneActions } from "../components/playground/LaneActions.tsx";
import {
  requestOf,
  useConversation,
  type Wires,
} from "../components/playground/use_conversation.ts";
import {
  dialects,
  type Fields,
  type Lane,
  type Offer,
  openCalls,
  parametersOf,
  possible,
  readFields,
  settingsQuery,
  withTurn,
} from "../lib/playground/mod.ts";
import type { CopyTexts } from "./CopyButton.tsx";

export interface PlaygroundProps {
  readonly offer: Offer;
  readonly lanes: readonly Lane[];
  readonly fields: Fields;
  readonly prompt: string;
  /** The gateway's address. */
  readonly origin: string;
  readonly texts: PlaygroundTexts;
  readonly copyTexts: CopyTexts;
}

/** Conversations with models by way of the gateway. Without a script its form asks once. */
export default function Playground(props: PlaygroundProps) {
  const { offer, origin, texts, copyTexts } = props;
  const [fields, setFields] = useState(props.fields);
  const [prompt, type] = useState(props.prompt);
  const conversation = useConversation(props.lanes, wires);
  const { lanes, setLanes, running, stop } = conversation;
  const { faults, values } = readFields(fields);
  const choices = lanes.map(({ choice }) => choice);
  const query = settingsQuery({ choices, parameters: parametersOf(fields) });
  useEffect(() => history.replaceState(history.state, "", `?${query}`), [query]);
  useEffect(() => running ? onEscape(stop) : undefined, [running]);
  const calling = lanes.some((lane) => openCalls(lane).length > 0);
  const end = useRef<HTMLDivElement>(null);
  useFollow(end, lanes);
  const hindrance = !values ? texts.faults.fields : calling ? texts.faults.results : undefined;
  const snippet = () => {
    const [lane] = lanes;
    if (!values) return undefined;
    const said = withTurn(lane, { role: "user", id: 0, text: prompt || "hello", attachments: [] });
    const { format, model } = lane.choice;
    return { format, model, origin, request: requestOf(said, values) };
  };
  return (
    <>
      <div class="stack">
        <LaneActions
          lanes={lanes}
          offer={offer}
          link={`${origin}/console/playground?${query}`}
          texts={texts}
          copyTexts={copyTexts}
          conversation={conversation}
        />
        <div class={lanes.length > 1 ? "lanes two" : "lanes"}>
          {lanes.map((lane, at) => (
            <LaneView
              key={at}
              lane={lane}
              at={at}
              offer={offer}
              texts={texts}
              copyTexts={copyTexts}
              conversation={conversation}
              values={values}
              onChoose={(choice) =>
                setLanes(lanes.with(at, { ...lane, choice: possible(choice, offer) }))}
            />
          ))}
        </div>
        <Composer
          text={prompt}
          texts={texts}
          running={running}
          aside={calling}
          hindrance={hindrance}
          onType={type}
          onStop={stop}
          onSend={(draft) => {
            if (!values) return;
            type("");
            conversation.say(draft, values);
          }}
        >
          <CodeDialog snippet={snippet} texts={texts} copyTexts={copyTexts} />
        </Composer>
        <div ref={end} />
        <p class="unseen" role="status">{conversation.told && news(conversation.told, texts)}</p>
      </div>
      <aside class="stack">
        <SettingsPanel
          fields={fields}
          faults={faults}
          texts={texts}
          noStop={choices.some(({ format }) => dialects[format].without.includes("stop"))}
          onChange={setFields}
        />
      </aside>
    </>
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
      await new Promise((resolve) => setTimeout(resolve, 300)); // who stops a call is ahead of its row
    }
  },
};
