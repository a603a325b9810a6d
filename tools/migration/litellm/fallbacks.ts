import { isModelName } from "../../../lib/admin/models/model_rows.ts";
import {
  type ChainCause,
  chainCauses,
  type ChainMember,
  chainMembersMax,
} from "../../../lib/store/catalog/mod.ts";
import { isFields, type SourceObject } from "../source_object.ts";

/** The lists of other models that LiteLLM tries, and the failures for which it does. */
const lists: Readonly<Record<string, readonly ChainCause[]>> = {
  fallbacks: chainCauses,
  context_window_fallbacks: ["window"],
  content_policy_fallbacks: ["refusal"],
  default_fallbacks: chainCauses,
};

/** The models after which others are tried, and those, by the name of their list. */
export class Fallbacks {
  readonly #lists = new Map<string, Map<string, readonly string[]>>();

  /** Reads the lists of a section: `[{ "model": ["other"] }]`, and names alone for every model. */
  read(section: SourceObject): void {
    for (const field of Object.keys(lists)) {
      if (section.fields[field] === undefined) continue;
      const rows = section.fields[field];
      const pairs = Array.isArray(rows) ? rows.flatMap(pairsOf) : [];
      const known = this.#lists.getOrInsertComputed(field, () => new Map());
      for (const [model, others] of pairs) {
        known.set(model, [...known.get(model) ?? [], ...others.filter(isName)]);
      }
      const isWhole = pairs.every(([, others]) => others.every(isName));
      section.changed(field, `virtual models${isWhole ? "" : ", without what is no name"}`);
    }
  }

  /** The members of a virtual model of this name; undefined if LiteLLM tries no other model. */
  membersOf(model: string): readonly ChainMember[] | undefined {
    const found = this.#listsOf(model);
    const causesByModel = new Map<string, Set<ChainCause>>();
    for (const { field, others } of found) {
      const isDecided = (cause: ChainCause) =>
        found.some((other) => lists[other.field].includes(cause) && precedes(other.field, field));
      const causes = lists[field].filter((cause) => !isDecided(cause));
      for (const other of causes.length > 0 ? others : []) {
        const own = causesByModel.getOrInsertComputed(other, () => new Set());
        for (const cause of causes) own.add(cause);
      }
    }
    const members = [...causesByModel].map(memberOf);
    return members.length === 0 ? undefined : [{ model }, ...members].slice(0, chainMembersMax);
  }

  /** The lists that hold others for a model. */
  #listsOf(
    model: string,
  ): readonly { readonly field: string; readonly others: readonly string[] }[] {
    return Object.keys(lists).map((field) => {
      const known = this.#lists.get(field);
      const others = known?.get(model) ?? known?.get(everyModel) ?? [];
      return { field, others: others.filter((other) => other !== model) };
    }).filter(({ others }) => others.length > 0);
  }
}

const everyModel = "*";

/** A list for one failure decides before those for all, and a model's own list before the default. */
function precedes(a: string, b: string): boolean {
  const names = Object.keys(lists);
  const [most, least] = [lists[a].length, lists[b].length];
  return most === least ? names.indexOf(a) < names.indexOf(b) : most < least;
}

function memberOf([model, causes]: readonly [string, ReadonlySet<ChainCause>]): ChainMember {
  return causes.size === chainCauses.length ? { model } : { model, causes: [...causes] };
}

function pairsOf(row: unknown): readonly (readonly [string, readonly unknown[]])[] {
  if (!isFields(row)) return [[everyModel, [row]]];
  return Object.entries(row).map(([model, others]) =>
    [model, Array.isArray(others) ? others : [others]] as const
  );
}

function isName(value: unknown): value is string {
  return typeof value === "string" && isModelName(value);
}
