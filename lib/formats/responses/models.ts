/** What a model of this format's own vendor refuses that others take. */
export interface ModelTraits {
  /** Whether temperature and top-p may be said while it thinks. */
  readonly sampling: boolean;
  /** Whether it may be told how much to think. */
  readonly effort: boolean;
}

/** The traits of a model by its name, which may bear a prefix. A name that nobody knows takes everything. */
export function traitsOf(model: string): ModelTraits {
  return rows.find(({ names }) => names.test(model))?.traits ?? { sampling: true, effort: true };
}

/** As reported in November 2026. */
const rows: readonly { readonly names: RegExp; readonly traits: ModelTraits }[] = [
  { names: /(^|\/)(o[1-9]|gpt-5)/, traits: { sampling: false, effort: true } },
  { names: /(^|\/)(gpt-[34]|chatgpt-4)/, traits: { sampling: true, effort: false } },
];
