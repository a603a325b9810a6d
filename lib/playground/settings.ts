import { type PlaygroundFormat, playgroundFormats } from "./dialects.ts";
import { type OfferedEffort, offeredEfforts, type Parameters } from "./prompt.ts";

/** Model, group and format of a conversation. */
export interface ModelChoice {
  readonly model: string;
  readonly groupId: string;
  readonly format: PlaygroundFormat;
}

/** The content of a link to the playground: all settings, no messages. */
export interface PlaygroundSettings {
  /** One, or up to `lanesMax` for a comparison. */
  readonly choices: readonly ModelChoice[];
  readonly parameters: Omit<Parameters, "schema">;
}

/** The conversations that one page compares. */
export const lanesMax = 4;
const suffixes = ["", "2", "3", "4"] as const;
const stopsMax = 4;
const nameCharsMax = 256;

/** Reads a link field by field, and ignores invalid fields. */
export function readPlaygroundSettings(fields: URLSearchParams): PlaygroundSettings {
  const choices = suffixes.flatMap((suffix) => {
    const model = fields.get(`model${suffix}`) ?? "";
    if (model === "" || model.length > nameCharsMax) return [];
    const format = oneOf(playgroundFormats, fields.get(`format${suffix}`)) ?? playgroundFormats[0];
    return [{ model, groupId: fields.get(`group${suffix}`) ?? "", format }];
  });
  return { choices, parameters: readParameters(fields) };
}

/** Reads the parameters. */
export function readParameters(fields: URLSearchParams): PlaygroundSettings["parameters"] {
  const temperature = numberIn(fields.get("temperature"), 2);
  const topP = numberIn(fields.get("top_p"), 1);
  const maxTokens = numberIn(fields.get("max_tokens"), 10_000_000);
  const effort: OfferedEffort | undefined = oneOf(offeredEfforts, fields.get("effort"));
  return {
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { topP }),
    ...(maxTokens !== undefined && maxTokens >= 1 && { maxTokens: Math.floor(maxTokens) }),
    ...(effort && { effort }),
    stop: fields.getAll("stop").flatMap((text) => text.split(/\r?\n/))
      .filter((text) => text !== "").slice(0, stopsMax),
    stream: fields.get("stream") !== "0",
  };
}

/** Writes the settings as the query of a link. */
export function settingsQuery({ choices, parameters }: PlaygroundSettings): string {
  const fields = new URLSearchParams();
  for (const [at, { model, groupId, format }] of choices.entries()) {
    const suffix = suffixes[at];
    fields.set(`model${suffix}`, model);
    if (groupId) fields.set(`group${suffix}`, groupId);
    fields.set(`format${suffix}`, format);
  }
  const { temperature, topP, maxTokens, effort, stop, stream } = parameters;
  const named = { temperature, top_p: topP, max_tokens: maxTokens, effort };
  for (const [name, value] of Object.entries(named)) {
    if (value !== undefined) fields.set(name, String(value));
  }
  for (const text of stop) fields.append("stop", text);
  if (!stream) fields.set("stream", "0");
  return String(fields);
}

function oneOf<Name extends string>(
  names: readonly Name[],
  text: string | null,
): Name | undefined {
  return names.find((name) => name === text);
}

function numberIn(text: string | null, max: number): number | undefined {
  const value = text === null || text.trim() === "" ? NaN : Number(text);
  return value >= 0 && value <= max ? value : undefined;
}

/** The models, groups and formats that the account may use. */
export interface PlaygroundOffer {
  readonly models: readonly {
    readonly id: string;
    readonly groups: readonly string[];
    /** In USD per million tokens; absent if unknown. */
    readonly price?: { readonly input: number; readonly output: number };
  }[];
  readonly groups: readonly {
    readonly id: string;
    readonly formats: readonly PlaygroundFormat[];
  }[];
  readonly formatNames: Readonly<Record<PlaygroundFormat, string>>;
}

/** The groups that allow a model. */
export function groupsFor(model: string, { models }: PlaygroundOffer): readonly string[] {
  return models.find(({ id }) => id === model)?.groups ?? [];
}

/** The formats that a group allows. */
export function formatsOfGroup(
  groupId: string,
  { groups }: PlaygroundOffer,
): readonly PlaygroundFormat[] {
  return groups.find(({ id }) => id === groupId)?.formats ?? [];
}

/** The nearest choice that its model and group allow. */
export function possibleChoice(
  { model, groupId, format }: ModelChoice,
  offer: PlaygroundOffer,
): ModelChoice {
  const groups = groupsFor(model, offer);
  const group = groups.includes(groupId) ? groupId : groups[0];
  const formats = formatsOfGroup(group, offer);
  return { model, groupId: group, format: formats.includes(format) ? format : formats[0] };
}
