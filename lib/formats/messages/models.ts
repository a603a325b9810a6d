import { listedModel, listIn, type ModelListing, modelPage } from "../models.ts";
import { countOf, objectOf, objectsOf, textOf } from "../wire_value.ts";

/** Features that differ between the vendor's models. Only requests from other formats are fitted to them. */
export interface ModelTraits {
  readonly outputTokensMax: number;
  /** True if a higher output limit is refused; an unknown model may accept more. */
  readonly limitKnown: boolean;
  /** The form of a thinking request: an effort, a budget of tokens, or none. */
  readonly thinking: "adaptive" | "budget" | "none";
  readonly disablesThinking: boolean;
  readonly xhighEffort: boolean;
  /** True if it accepts temperature, top-p and top-k. */
  readonly sampling: boolean;
  readonly forcedTools: boolean;
  readonly structuredOutput: boolean;
  /** True if it accepts `role: "system"` within the messages. */
  readonly systemTurns: boolean;
}

/** The traits of a model by its name, with or without a prefix or a date. The first matching row counts. */
export function traitsOf(model: string): ModelTraits {
  const row = rows.find(({ names }) => names.test(model));
  return row?.traits ?? (model.includes("claude") ? { ...newest, limitKnown: false } : unknown);
}

const newest: ModelTraits = {
  outputTokensMax: 128_000,
  limitKnown: true,
  thinking: "adaptive",
  disablesThinking: true,
  xhighEffort: true,
  sampling: false,
  forcedTools: true,
  structuredOutput: true,
  systemTurns: true,
};

const budgeted: ModelTraits = {
  outputTokensMax: 64_000,
  limitKnown: true,
  thinking: "budget",
  disablesThinking: true,
  xhighEffort: false,
  sampling: true,
  forcedTools: true,
  structuredOutput: true,
  systemTurns: false,
};

/** Traits of another vendor's model that is served in this format. */
const unknown: ModelTraits = {
  ...budgeted,
  outputTokensMax: 8192,
  limitKnown: false,
  structuredOutput: false,
};

/** Source: reports as of November 2026. */
const rows: readonly { readonly names: RegExp; readonly traits: ModelTraits }[] = [
  {
    names: /claude-(opus-5-5|sonnet-5-5|fable-5-[12]|mythos-5-[12])/,
    traits: { ...newest, disablesThinking: false, forcedTools: false },
  },
  { names: /claude-(fable-5|mythos)/, traits: { ...newest, disablesThinking: false } },
  { names: /claude-(opus-5|haiku-5|opus-4-8)/, traits: newest },
  { names: /claude-(opus-4-7|sonnet-5)/, traits: { ...newest, systemTurns: false } },
  {
    names: /claude-(opus|sonnet)-4-6/,
    traits: { ...newest, xhighEffort: false, sampling: true, systemTurns: false },
  },
  { names: /claude-(opus|sonnet|haiku)-4-5/, traits: budgeted },
  { names: /claude-opus-4-1/, traits: { ...budgeted, outputTokensMax: 32_000 } },
  {
    names: /claude-opus-4/,
    traits: { ...budgeted, outputTokensMax: 32_000, structuredOutput: false },
  },
  { names: /claude-(sonnet-4|3-7)/, traits: { ...budgeted, structuredOutput: false } },
  { names: /claude-3-5/, traits: { ...unknown, limitKnown: true, thinking: "none" } },
  {
    names: /claude-(3|2|instant)/,
    traits: { ...unknown, limitKnown: true, thinking: "none", outputTokensMax: 4096 },
  },
];

const pageRows = 1_000;

/** Pages addressed by the last model of the previous page. */
export const modelListing: ModelListing = {
  path: (next) =>
    `/v1/models?limit=${pageRows}${
      next === undefined ? "" : `&after_id=${encodeURIComponent(next)}`
    }`,
  decode(body) {
    const { data, has_more, last_id } = objectOf(body);
    const models = objectsOf(listIn(data)).map((row) =>
      listedModel({
        id: textOf(row.id),
        displayName: textOf(row.display_name),
        contextWindow: countOf(row.max_input_tokens),
        maxOutputTokens: countOf(row.max_tokens),
      })
    );
    return modelPage(models, has_more === true && last_id);
  },
};
