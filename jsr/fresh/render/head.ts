import { Fragment, h, type VNode } from "preact";
import { useContext } from "preact/hooks";
import { InsideHead } from "../runtime/head.ts";
import { settled } from "./settled.ts";
import type { RenderState } from "./state.ts";

/** The elements that a head may hold. */
export const headElements: ReadonlySet<unknown> = new Set([
  "title",
  "meta",
  "link",
  "script",
  "style",
  "base",
  "noscript",
  "template",
]);

interface SlotProps {
  readonly tag: string;
  readonly attributes: Attributes;
  readonly name: unknown;
  readonly state: RenderState;
}

type Attributes = Readonly<Record<string, unknown>>;

/**
 * An element of a head. In `<Head>` it is kept for the document; elsewhere what was kept with the
 * same identity takes its place, as in Fresh even if this is the title of a picture.
 */
export function HeadSlot({ tag, attributes, name, state }: SlotProps): VNode | null {
  const isAddition = useContext(InsideHead);
  const { headAdditions } = state;
  const identity = identityOf(tag, attributes, name);
  const element = elementOf(tag, attributes, name, state);
  if (isAddition) headAdditions.set(identity, element);
  const kept = isAddition ? null : headAdditions.get(identity) ?? element;
  if (kept !== null) headAdditions.delete(identity);
  return kept;
}

/** The elements of `<Head>` that replace nothing in the document's head. */
export function RemainingHead({ state }: { readonly state: RenderState }): VNode {
  return h(Fragment, null, [...state.headAdditions.values()]);
}

/** The identity by which elements replace each other: the key, or the element's subject. */
function identityOf(tag: string, attributes: Attributes, key: unknown): string {
  if (key !== undefined && key !== null) return `key ${key}`;
  if (tag === "title") return tag;
  const ignored = new Set([
    "children",
    tag === "meta" ? "content" : tag === "link" ? "href" : "",
  ]);
  const rest = Object.entries(attributes).filter(([name]) => !ignored.has(name));
  return `${tag} ${JSON.stringify(rest.toSorted(([a], [b]) => a < b ? -1 : 1))}`;
}

function elementOf(
  tag: string,
  attributes: Attributes,
  key: unknown,
  state: RenderState,
): VNode {
  const keyed = key === undefined || key === null ? attributes : { ...attributes, "data-key": key };
  return settled(tag, withNonce(tag, keyed, state));
}

function withNonce(
  tag: string,
  attributes: Attributes,
  { nonce }: RenderState,
): Attributes {
  const bearsNonce = tag === "script" || tag === "style";
  return bearsNonce && attributes.nonce === undefined ? { ...attributes, nonce } : attributes;
}
