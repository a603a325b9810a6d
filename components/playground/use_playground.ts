import type { RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Catalog } from "../../lib/console/i18n/mod.ts";
import type { OpenedPlayground } from "../../lib/console/playground/playground.ts";
import {
  type AssistantReply,
  fill,
  type Lane,
  readFields,
  settingsQuery,
  type SnippetInput,
  validParameters,
  withTurn,
} from "../../lib/playground/mod.ts";
import { requestOf, useConversation, type Wires } from "./use_conversation.ts";

/** The state of the page, mirrored in its address. Esc stops a running answer. */
export function usePlayground(props: OpenedPlayground, wires: Wires) {
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

/**
 * Calls `stop` on Esc, except when Esc closes a dialog. Returns the function that stops listening.
 */
function onEscape(stop: () => void): () => void {
  const listen = ({ key }: KeyboardEvent) => {
    if (key === "Escape" && !document.querySelector("dialog[open]")) stop();
  };
  document.addEventListener("keydown", listen);
  return () => document.removeEventListener("keydown", listen);
}

/** Distance kept below the followed element. */
const gapPx = 12;

/** Keeps the end of a growing element in view, unless the reader has scrolled up. */
function useFollow<Watched>(end: RefObject<HTMLElement>, watched: Watched): void {
  const following = useRef(true);
  useEffect(() => {
    const note = () => following.current = hidden(end) <= gapPx;
    addEventListener("scroll", note, { passive: true });
    return () => removeEventListener("scroll", note);
  }, []);
  useEffect(() => {
    if (following.current && hidden(end) > 0) scrollBy(0, hidden(end));
  }, [watched]);
}

/** The distance from the end of the element to the visible area. */
function hidden({ current }: RefObject<HTMLElement>): number {
  if (!current) return 0;
  const covered = document.querySelector(".tabbar")?.getBoundingClientRect().height ?? 0;
  return current.getBoundingClientRect().bottom + gapPx + covered - innerHeight;
}

/** The announcement for screen readers when an answer ends. */
export function news({ model, state, answer }: AssistantReply, texts: PlaygroundTexts): string {
  if (state === "stopped") return texts.stopped;
  if (state !== "whole") return fill(texts.finishedBadly, { model });
  return fill(answer.calls.length > 0 ? texts.calledTools : texts.finished, { model });
}

/** The playground's texts for the browser, which fills in placeholders such as `{name}`. */
export type PlaygroundTexts = Catalog["playground"]["island"];
