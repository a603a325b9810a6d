import { storeFaultOf } from "../file/store_fault.ts";
import type { Store } from "../kv/store.ts";
import type { Bounds } from "../money/budget.ts";
import { listTagBudgets } from "../projects/bounds.ts";
import { otherTag, type Tag, tagOfText, tagText } from "../projects/tag.ts";
import {
  addTagValues,
  countedTag,
  hasRoom,
  readTagValues,
  tagRoom,
  type TagValues,
} from "../projects/tag_values.ts";

/** A tag of a call as it is counted, and the limits of all calls with it. */
export interface CallTag {
  /** Such as `team=a`; see `tagText`. */
  readonly text: string;
  /** Absent if the tag has no limits. */
  readonly bounds?: Bounds;
}

/** The tags that are counted by themselves, and those with limits. */
export interface Tags {
  readonly values: TagValues;
  /** By the tag's text. */
  readonly bounds: ReadonlyMap<string, Bounds>;
}

export async function readTags(store: Store): Promise<Tags> {
  const [values, budgets] = await Promise.all([readTagValues(store), listTagBudgets(store)]);
  return { values, bounds: new Map(budgets.map(({ tag, ...bounds }) => [tag, bounds])) };
}

/** Decides as which tag a call counts, from memory unless a tag is new and has room. */
export class KnownTags {
  constructor(readonly store: Store, readonly tags: () => Tags) {}

  /**
   * A tag with limits counts as itself, and so does each other one that has a sum of its own. While
   * the store is away, a new tag counts as `other`: calls go on without it.
   */
  count(tags: readonly Tag[]): readonly CallTag[] | Promise<readonly CallTag[]> {
    const unknown = tags.filter((tag) => this.#isNew(tag));
    if (unknown.length === 0) return this.#counted(tags, this.tags().values);
    return addTagValues(this.store, unknown).catch((error) => {
      if (storeFaultOf(error) === undefined) throw error;
      return this.tags().values;
    }).then((values) => this.#counted(tags, values));
  }

  /** The keys with sums, sorted: one more of them holds the tags whose own key has no room. */
  keys(): readonly string[] {
    const { values, bounds } = this.tags();
    const isFull = values.size >= tagRoom.keys;
    const bound = [...bounds.keys()].map((text) => tagOfText(text).key);
    return [...new Set([...values.keys(), ...bound, ...isFull ? [otherTag] : []])].sort();
  }

  #isNew(tag: Tag): boolean {
    const { values, bounds } = this.tags();
    if (values.get(tag.key)?.has(tag.value) || bounds.has(tagText(tag))) return false;
    return hasRoom(tag, values);
  }

  #counted(tags: readonly Tag[], values: TagValues): readonly CallTag[] {
    const { bounds } = this.tags();
    const texts = new Set(tags.map((tag) => {
      const text = tagText(tag);
      if (bounds.has(text)) return text;
      const others = tagText({ key: tag.key, value: otherTag }); // binds what has no sum of its own
      const counted = tagText(countedTag(tag, values));
      return counted !== text && bounds.has(others) ? others : counted;
    }));
    return [...texts].map((text) => {
      const own = bounds.get(text);
      return own ? { text, bounds: own } : { text };
    });
  }
}
