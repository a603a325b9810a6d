import { useEffect, useRef, useState } from "preact/hooks";
import {
  type Fields,
  type Lane,
  readFields,
  settingsQuery,
  type SnippetInput,
  validParameters,
  withTurn,
} from "../../lib/playground/mod.ts";
import { onEscape } from "./on_escape.ts";
import { requestOf, useConversation, type Wires } from "./use_conversation.ts";
import { useFollow } from "./use_follow.ts";

interface OpenedWith {
  readonly fields: Fields;
  readonly lanes: readonly Lane[];
  readonly prompt: string;
}

/** The state of the page, mirrored in its address. Esc stops a running answer. */
export function usePlayground(props: OpenedWith, wires: Wires) {
  const [fields, change] = useState(props.fields);
  const [prompt, type] = useState(props.prompt);
  const conversation = useConversation(props.lanes, wires);
  const { lanes, running, stop } = conversation;
  const choices = lanes.map(({ choice }) => choice);
  const query = settingsQuery({ choices, parameters: validParameters(fields) });
  useEffect(() => {
    const { prompt: said, ...written } = writtenIn(location.hash);
    if (said) type(said);
    if (Object.keys(written).length > 0) change({ ...props.fields, ...written });
  }, []);
  useEffect(() => history.replaceState(history.state, "", `?${query}`), [query]);
  useEffect(() => running ? onEscape(stop) : undefined, [running]);
  const end = useRef<HTMLDivElement>(null);
  useFollow(end, lanes);
  const written = () => {
    const { system, tools, schema } = fields;
    return { system, tools, schema, prompt: prompt || lastSaid(lanes) };
  };
  return {
    settings: { fields, change, ...readFields(fields) },
    draft: { prompt, type, written },
    conversation,
    query,
    end,
  };
}

export type PlaygroundState = ReturnType<typeof usePlayground>;

/** The texts in the fragment of a link. */
function writtenIn(
  fragment: string,
): Partial<Record<"system" | "tools" | "schema" | "prompt", string>> {
  const fields = new URLSearchParams(fragment.slice(1));
  const names = ["system", "tools", "schema", "prompt"] as const;
  return Object.fromEntries(names.flatMap((name) => {
    const text = fields.get(name);
    return text ? [[name, text]] : [];
  }));
}

function lastSaid([{ turns }]: readonly Lane[]): string {
  const said = turns.findLast(({ role }) => role === "user");
  return said?.role === "user" ? said.text : "";
}

/** The request that the prompt would send to the first model, for the code dialog. */
export function snippetFor(
  { conversation: { lanes: [lane] }, settings: { values }, draft: { prompt } }: PlaygroundState,
  origin: string,
): Omit<SnippetInput, "kind"> | undefined {
  if (!values) return undefined;
  const said = withTurn(lane, { role: "user", id: 0, text: prompt || "hello", attachments: [] });
  const { format, model } = lane.choice;
  return { format, model, origin, request: requestOf(said, values) };
}
