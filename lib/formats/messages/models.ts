/** What a model takes that others of the same vendor refuse. Only requests from other formats are fitted to it. */
export interface ModelTraits {
  readonly outputTokensMax: number;
  /** Whether more than that is refused; a model that nobody knows may take more. */
  readonly limitKnown: boolean;
  /** How thinking is asked for: by an effort, by a budget of tokens, or not at all. */
  readonly thinking: "adaptive" | "budget" | "none";
  readonly disablesThinking: boolean;
  readonly xhighEffort: boolean;
  /** Whether temperature, top-p and top-k may be said. */
  readonly sampling: boolean;
  readonly forcedTools: boolean;
  readonly structuredOutput: boolean;
  /** Whether `role: "system"` may stand among the messages. */
  readonly systemTurns: boolean;
}

/** The traits of a model by its name, which may bear a prefix or a date. The first row that matches counts. */
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

/** A model that another vendor serves in this format. */
const unknown: ModelTraits = {
  ...budgeted,
  outputTokensMax: 8192,
  limitKnown: false,
  structuredOutput: false,
};

/** As reported in November 2026. */
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
