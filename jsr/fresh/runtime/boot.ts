import { type ComponentType, h, hydrate } from "preact";

/** Starts every island of the page: the browser's half of `IslandBoundary`. */
export function boot(
  components: Readonly<Record<string, ComponentType>>,
  serialized: string,
): void {
  // Sound: the server writes the list of the islands' props.
  const props = JSON.parse(serialized) as object[];
  for (const { name, index, start, end } of findIslands(document.body)) {
    hydrate(h(components[name], props[index]), rangeBetween(start, end));
  }
}

interface FoundIsland {
  readonly name: string;
  readonly index: number;
  readonly start: Comment;
  readonly end: Comment;
}

function findIslands(root: Node): FoundIsland[] {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_COMMENT);
  const found: FoundIsland[] = [];
  let start: Comment | null = null;
  while (walker.nextNode()) {
    // Sound: the walker shows comments only.
    const comment = walker.currentNode as Comment;
    if (comment.data.startsWith("frsh:island:")) start = comment;
    if (comment.data !== "/frsh:island" || start === null) continue;
    const [, , name, index] = start.data.split(":");
    found.push({ name, index: Number(index), start, end: comment });
    start = null;
  }
  return found;
}

/** The nodes between two comments, as the parent that Preact wants to render into. */
function rangeBetween(start: Comment, end: Comment): Element {
  const parent = end.parentNode;
  const range = {
    nodeType: 1,
    parentNode: parent,
    namespaceURI: parent instanceof Element ? parent.namespaceURI : null,
    get childNodes(): Node[] {
      const nodes: Node[] = [];
      for (
        let node = start.nextSibling;
        node !== null && node !== end;
        node = node.nextSibling
      ) {
        nodes.push(node);
      }
      return nodes;
    },
    get firstChild(): Node | null {
      return start.nextSibling === end ? null : start.nextSibling;
    },
    contains: (node: Node) => parent?.contains(node) ?? false,
    insertBefore: (node: Node, next: Node | null) => parent?.insertBefore(node, next ?? end),
    appendChild: (node: Node) => parent?.insertBefore(node, end),
    removeChild: (node: Node) => parent?.removeChild(node),
  };
  // Sound: Preact uses no other members of a parent than those above.
  return range as unknown as Element;
}
