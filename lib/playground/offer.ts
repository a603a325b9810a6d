import type { PlaygroundFormat } from "./dialects.ts";
import type { Choice } from "./settings.ts";

/** What the account may choose from. */
export interface Offer {
  readonly models: readonly {
    readonly id: string;
    readonly groups: readonly string[];
    /** In USD per million tokens; absent where nobody says. */
    readonly price?: { readonly input: number; readonly output: number };
  }[];
  readonly groups: readonly {
    readonly id: string;
    readonly formats: readonly PlaygroundFormat[];
  }[];
  readonly formatNames: Readonly<Record<PlaygroundFormat, string>>;
}

/** The groups in which a model may be called. */
export function groupsFor(model: string, { models }: Offer): readonly string[] {
  return models.find(({ id }) => id === model)?.groups ?? [];
}

/** The formats that a group may be called in. */
export function formatsFor(groupId: string, { groups }: Offer): readonly PlaygroundFormat[] {
  return groups.find(({ id }) => id === groupId)?.formats ?? [];
}

/** The choice with what its model and group allow, as near to it as may be. */
export function possible({ model, groupId, format }: Choice, offer: Offer): Choice {
  const groups = groupsFor(model, offer);
  const group = groups.includes(groupId) ? groupId : groups[0];
  const formats = formatsFor(group, offer);
  return { model, groupId: group, format: formats.includes(format) ? format : formats[0] };
}
