/** Features that some models of the vendor refuse. */
export interface ModelTraits {
  /** True if it accepts temperature and top-p while it thinks. */
  readonly sampling: boolean;
  /** True if the model accepts a reasoning effort. */
  readonly effort: boolean;
  /** True if it accepts its earlier reasoning in the history. */
  readonly thoughts: boolean;
}

/** The traits of a model by its name, with or without a prefix. An unknown name accepts everything. */
export function traitsOf(model: string): ModelTraits {
  for (const { names, traits } of rows) if (names.test(model)) return traits;
  return allTraits;
}

const allTraits: ModelTraits = { sampling: true, effort: true, thoughts: true };

/** Source: reports as of November 2026. */
const rows: readonly { readonly names: RegExp; readonly traits: ModelTraits }[] = [
  { names: /(^|\/)(o[1-9]|gpt-5)/, traits: { sampling: false, effort: true, thoughts: false } },
  {
    names: /(^|\/)(gpt-[34]|chatgpt-4)/,
    traits: { sampling: true, effort: false, thoughts: false },
  },
];
