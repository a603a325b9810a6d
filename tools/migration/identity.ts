import { withoutHidden } from "../../lib/canonical/mod.ts";
import { digestOf } from "../../lib/store/mod.ts";
import type { SourceName } from "./plan.ts";
import type { SourceObject } from "./source_object.ts";

/** The id of a record that was made from the source's record `own`; the same in each run. */
export function idFrom(prefix: "key" | "usr", source: SourceName, own: string): string {
  return `${prefix}_${source.replace("-", "")}_${digestOf(`${source} ${own}`).slice(0, 20)}`;
}

/** A part of a name of letters, digits, `.`, `_` and `-`; empty if nothing of the text is left. */
export function slugOf(text: string, charsMax = 40): string {
  return text.toLowerCase().normalize("NFKD").replace(/[^a-z0-9._-]+/g, "-")
    .replace(/^[-._]+/, "").slice(0, charsMax).replace(/[-._]+$/, "");
}

/**
 * The id of a group: its name if that is readable, else with a digest, also for a name in capitals,
 * so that two names never become one id. `identity` is what tells groups of one name apart.
 */
export function nameFrom(source: SourceName, own: string, identity = own): string {
  const slug = slugOf(own);
  if (slug !== "" && slug === own && identity === own) return `${source}-${slug}`;
  return `${source}-${`${slug}-${digestOf(identity).slice(0, 10)}`.replace(/^-/, "")}`;
}

const nameCharsMax = 60;

/** The names of the keys of one account, each of which is taken once. */
export class TakenNames {
  readonly #names: Set<string>;
  /** The next number of each name that several keys have. */
  readonly #next = new Map<string, number>();

  constructor(names: Iterable<string> = []) {
    this.#names = new Set(names);
  }

  has(name: string): boolean {
    return this.#names.has(name);
  }

  /** Takes the first of `name`, `name 2`, `name 3`, … that is free. */
  take(name: string): string {
    const base = withoutHidden(name).replace(/\s+/g, " ").trim().slice(0, nameCharsMax - 8);
    for (let at = this.#next.get(base) ?? 1;; at++) {
      const candidate = at === 1 ? base : `${base} ${at}`;
      if (this.#names.has(candidate)) continue;
      this.#names.add(candidate);
      this.#next.set(base, at + 1);
      return candidate;
    }
  }
}

/** The names of the keys of an account, which `names` keeps by account. */
export function takenBy(accountId: string, names: Map<string, TakenNames>): TakenNames {
  const taken = names.get(accountId) ?? new TakenNames();
  names.set(accountId, taken);
  return taken;
}

/** The name of a key: that of its field, as far as it is free and valid, or the usual one. */
export function takenName(
  source: SourceObject,
  field: string,
  { taken, usual }: { readonly taken: TakenNames; readonly usual: string },
): string {
  const own = source.text(field);
  const name = taken.take(own ?? usual);
  if (own !== undefined && name !== own) {
    source.changed(field, "names are unique in an account and have at most 60 visible characters");
  }
  return name;
}

/** The address of a user without one: nobody receives mail there (RFC 2606). */
export function inventedEmail(source: SourceName, name: string, own: string): string {
  const slug = slugOf(name);
  const local = slug === name.toLowerCase() && slug !== ""
    ? slug
    : `user-${digestOf(own).slice(0, 8)}`;
  return `${local}@${source}.invalid`;
}
