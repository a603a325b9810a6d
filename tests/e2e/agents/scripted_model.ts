import { type Prompt, type Reply, reply, type ToolCall } from "../../strict/small_model.ts";

/** The parallel calls of a model, which knows the secrets in the results so far. */
export type Step = (secrets: readonly string[]) => readonly ToolCall[];

/** A model's behavior for a task: its steps, then its answer. */
export interface Script {
  readonly steps: readonly Step[];
  readonly answer: (secrets: readonly string[]) => string;
}

/** Secrets that only a tool result reveals to a model. */
const secretPattern = /secret-[a-z]+-\d+/g;

/**
 * A model that follows a script: the number of results in the history selects the next step. A
 * request without tools, for a title or a summary, gets the small model's reply.
 */
export function scriptedModel(script: Script): typeof reply {
  const secrets: string[] = [];
  return (prompt, voice) => {
    if (prompt.tools.length === 0) return reply(prompt, voice);
    for (const { text } of prompt.results) secrets.push(...text.match(secretPattern) ?? []);
    const steps = prompt.oneAtATime ? oneByOne(script.steps) : script.steps;
    const index = stepAfter(steps, prompt.answered);
    const said = steps[index]
      ? taken(steps[index](secrets), prompt)
      : { calls: [], text: script.answer(secrets) };
    const thought = prompt.thinks && { thought: `${voice} thinks of step ${index + 1}` };
    return { hangs: false, ...thought, ...said };
  };
}

function oneByOne(steps: readonly Step[]): readonly Step[] {
  return steps.flatMap((step) => step([]).map((_, at): Step => (told) => [step(told)[at]]));
}

/** The step that follows so many results; none after the last, or where a result got lost. */
function stepAfter(steps: readonly Step[], answered: number): number {
  const before = steps.map((_, index) =>
    steps.slice(0, index).reduce((sum, step) => sum + step([]).length, 0)
  );
  const index = before.indexOf(answered);
  return index < 0 ? steps.length : index;
}

function taken(wanted: readonly ToolCall[], prompt: Prompt): Pick<Reply, "calls" | "text"> {
  const calls = wanted.map((call) => offeredCall(call, prompt));
  const found = calls.filter((call) => call !== undefined);
  if (found.length === wanted.length) return { calls: found, text: "I shall use my tools." };
  const names = prompt.tools.map(({ name }) => name).join(", ");
  return { calls: [], text: `I need ${wanted.map(({ name }) => name)}, and have but ${names}` };
}

/** The call as the tool is offered: one that takes a text is a function of one text in other formats. */
function offeredCall({ name, args, input }: ToolCall, { tools }: Prompt): ToolCall | undefined {
  const tool = tools.find((one) => one.name === name || one.name.endsWith(`_${name}`));
  if (!tool) return undefined;
  const { takesText, ...named } = tool;
  if (input === undefined) return { ...named, args };
  return takesText ? { ...named, args: {}, input } : { ...named, args: { input } };
}
