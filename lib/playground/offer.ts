import type { PlaygroundFormat } from "./dialects.ts";
import type { ModelChoice } from "./settings.ts";

/** The models, groups and formats that the account may use. */
export interface Offer {
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
export function groupsFor(model: string, { models }: Offer): readonly string[] {
  return models.find(({ id }) => id === model)?.groups ?? [];
}

/** The formats that a group allows. */
export function formatsOfGroup(groupId: string, { groups }: Offer): readonly PlaygroundFormat[] {
  return groups.find(({ id }) => id === groupId)?.formats ?? [];
}

/** The nearest choice that its model and group allow. */
export function possible({ model, groupId, format }: ModelChoice, offer: Offer): ModelChoice {
  const groups = groupsFor(model, offer);
  const group = groups.includes(groupId) ? groupId : groups[0];
  const formats = formatsOfGroup(group, offer);
  return { model, groupId: group, format: formats.includes(format) ? format : formats[0] };
}
