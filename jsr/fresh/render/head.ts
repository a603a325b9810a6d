import { type ComponentChildren, createContext, Fragment, h, type VNode } from "preact";
import { useContext } from "preact/hooks";
import { renderToString } from "preact-render-to-string";
import { comment, settled } from "./settled.ts";
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

/** Marks the inside of the document's head. */
export function HeadScope(
  { children }: { children?: ComponentChildren },
): ComponentChildren {
  return h(InsideHead.Provider, { value: true }, children);
}

interface SlotProps {
  readonly tag: string;
  readonly attributes: Attributes;
  readonly name: unknown;
  readonly state: RenderState;
}

type Attributes = Readonly<Record<string, unknown>>;

/** An element of the head between two comments, so that `<Head>` can replace it; elsewhere itself. */
export function HeadSlot({ tag, attributes, name, state }: SlotProps): VNode {
  const inside = useContext(InsideHead);
  if (!inside) return settled(tag, withNonce(tag, attributes, state));
  const index = state.headSlots.push(identityOf(tag, attributes, name)) - 1;
  return h(
    Fragment,
    null,
    comment(`frsh:head:${index}`),
    elementOf(tag, attributes, name, state),
    comment("/frsh:head"),
  );
}

/** Keeps the elements of one `<Head>` until the whole page is rendered. */
export function collectHead(
  children: readonly VNode[],
  state: RenderState | null,
): void {
  for (const { type, props, key } of children) {
    if (state === null || typeof type !== "string") continue;
    const attributes: Attributes = { ...props };
    const element = elementOf(type, attributes, key, state);
    state.headAdditions.set(identityOf(type, attributes, key), element);
  }
}

/** Writes into the rendered document what `<Head>` collected in its body. */
export function fillHead(html: string, state: RenderState): string {
  const end = html.indexOf("</head>");
  if (end < 0) return html;
  const additions = new Map(state.headAdditions);
  const replacements = new Map<number, VNode>();
  for (const [index, identity] of state.headSlots.entries()) {
    const element = additions.get(identity);
    if (element === undefined || !additions.delete(identity)) continue;
    replacements.set(index, element);
  }
  const head = html.slice(0, end).replace(
    slotPattern,
    (_, index: string, own: string) => {
      const element = replacements.get(Number(index));
      return element === undefined ? own : renderToString(element);
    },
  );
  const added = [...additions.values()].map((element) => renderToString(element));
  return head + added.join("") + html.slice(end);
}

const slotPattern = /<!--frsh:head:(\d+)-->([\s\S]*?)<!--\/frsh:head-->/g;

const InsideHead = createContext(false);

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
