import type { Model, UpstreamModel, UpstreamRecord } from "../../store/catalog/mod.ts";
import type { FaultCode } from "../faults.ts";
import type { KnownModel } from "./served_models.ts";
import { upstreamModelsMax } from "./upstream_form.ts";

/** A chosen model, as entered in the form. */
export interface ChosenModel {
  /** The upstream's own name. */
  readonly own: string;
  /** The public name. */
  readonly id: string;
  readonly limits: Pick<KnownModel, "contextWindow" | "maxOutputTokens">;
  readonly priceIn: string;
  readonly priceOut: string;
}

/** The models chosen from a comparison. */
export interface ImportChoice {
  readonly added: readonly ChosenModel[];
  /** Public names and patterns to remove. */
  readonly removed: readonly string[];
  readonly isConfirmed: boolean;
}

/** The maximum number of records that one commit adds. */
const recordsMax = 90;

/**
 * Reads `drop` and `use`, and for each row N in `use`: `own.N`, `as.N`, `context.N`, `answer.N`,
 * `in.N`, `out.N`.
 */
export function readImportChoice(form: URLSearchParams): ImportChoice {
  const fields = new Map(form); // a lookup in the form itself takes time in proportion to its length
  const text = (name: string) => (fields.get(name) ?? "").trim().slice(0, 250);
  const added = form.getAll("use").slice(0, upstreamModelsMax).map((row): ChosenModel => ({
    own: text(`own.${row}`),
    id: text(`as.${row}`) || text(`own.${row}`),
    limits: {
      ...counted("contextWindow", text(`context.${row}`)),
      ...counted("maxOutputTokens", text(`answer.${row}`)),
    },
    priceIn: text(`in.${row}`),
    priceOut: text(`out.${row}`),
  }));
  const removed = form.getAll("drop").slice(0, upstreamModelsMax);
  return { added, removed, isConfirmed: form.get("confirm") === "true" };
}

function counted(name: "contextWindow" | "maxOutputTokens", text: string) {
  return /^[1-9]\d{0,9}$/.test(text) ? { [name]: Number(text) } : {};
}

/** Adds or removes one model by its own name; undefined if it is served, or not served, already. */
export function fallbackChoice(
  { models }: Pick<UpstreamRecord, "models">,
  model: string,
  undo: boolean,
): ImportChoice | undefined {
  const one = { own: model, id: model, limits: {}, priceIn: "", priceOut: "" };
  const choice = undo
    ? { added: [], removed: [model], isConfirmed: true }
    : { added: [one], removed: [], isConfirmed: true };
  const isServed = models.some(({ id }) => id === model);
  return isServed !== undo || importFault({ models }, choice) ? undefined : choice;
}

/** The models that an upstream serves after the import. */
export function modelsAfter(
  { models }: Pick<UpstreamRecord, "models">,
  { added, removed }: ImportChoice,
): UpstreamModel[] {
  const kept = models.filter(({ id }) => !removed.includes(id));
  const names = new Set(added.map(({ id }) => id));
  return [
    ...kept.filter(({ id }) => !names.has(id)),
    ...added.map(({ id, own }) => id === own ? { id } : { id, upstreamModel: own }),
  ];
}

/** The reason why a choice cannot be imported; undefined if it can. */
export function importFault(
  upstream: Pick<UpstreamRecord, "models">,
  choice: ImportChoice,
): FaultCode<"import"> | undefined {
  const { added, removed } = choice;
  const names = added.map(({ id }) => id);
  const areNames = added.every(({ id, own }) => /^[^\s*]{1,200}$/.test(id) && own !== "") &&
    new Set(names).size === names.length;
  if (added.length + removed.length === 0) return "nothing";
  if (!areNames) return "name";
  if (!added.every(isPriced)) return "price";
  if (added.filter(hasFacts).length > recordsMax) return "many";
  return modelsAfter(upstream, choice).length > upstreamModelsMax ? "full" : undefined;
}

function isPriced({ priceIn, priceOut }: ChosenModel): boolean {
  return priceIn === "" && priceOut === "" || isUsd(priceIn) && isUsd(priceOut);
}

function isUsd(text: string): boolean {
  return /^\d{1,6}([.,]\d{1,9})?$/.test(text);
}

function hasFacts({ limits, priceIn }: ChosenModel): boolean {
  return priceIn !== "" || Object.keys(limits).length > 0;
}

/** Records for the chosen models that come with limits or a price. */
export function recordsOf({ added }: ImportChoice, nowMs: number): Model[] {
  const usd = (text: string) => Number(text.replace(",", "."));
  return added.filter(hasFacts).map(({ id, limits, priceIn, priceOut }) => ({
    id,
    ...limits,
    ...(priceIn !== "" && { price: { input: usd(priceIn), output: usd(priceOut) } }),
    createdAtMs: nowMs,
    origin: "console",
  }));
}
