import type { Refuser } from "../canonical/mod.ts";
import { matchesPattern } from "../store/mod.ts";
import type { Caller } from "./authorize.ts";

/** The owners that may have a rule about models. The widest comes first: a narrower one needs it, too. */
const rulers = ["project", "group", "key", "child"] as const;

type Rulers = Partial<Pick<Caller, typeof rulers[number]>>;

/** The models that an owner allows, as patterns. */
export interface ModelRule extends Refuser {
  readonly models: readonly string[];
}

/** Returns true if the caller's project, group, key and child key all allow a model. */
export function mayUseModel(owners: Rulers, model: string): boolean {
  for (const ruler of rulers) {
    const models = owners[ruler]?.models;
    if (models && !isListed(models, model)) return false;
  }
  return true;
}

/** The rules about models that bind a caller, the widest first. */
export function modelRulesOf(owners: Rulers): ModelRule[] {
  return rulers.flatMap((owner) => {
    const { models } = owners[owner] ?? {};
    if (models === undefined) return [];
    return [{
      owner,
      id: owner === "child" ? owners.child?.name ?? "" : owners[owner]?.id ?? "",
      models,
    }];
  });
}

/** The first rule that forbids a model; undefined if all allow it. */
export function forbiddingRule(owners: Rulers, model: string): ModelRule | undefined {
  return modelRulesOf(owners).find(({ models }) => !isListed(models, model));
}

function isListed(patterns: readonly string[], model: string): boolean {
  for (const pattern of patterns) {
    if (pattern === "*" || matchesPattern(pattern, model)) return true;
  }
  return false;
}
