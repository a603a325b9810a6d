import { Fragment, h, type VNode } from "preact";
import { jsxTemplate } from "preact/jsx-runtime";
import { renderToString } from "preact-render-to-string";
import type { BuildCache } from "../build_cache.ts";
import { serialize } from "../islands/serialize.ts";
import { installHooks } from "./hooks.ts";
import { newRenderState, type RenderState, withState } from "./state.ts";

export interface RenderedDocument {
  readonly html: string;
  readonly nonce: string;
  /** The `Link` header that lets the browser fetch the scripts early; empty without islands. */
  readonly link: string;
}

/**
 * Renders a whole document: first the page, then what is around it, so that the head has what the
 * page adds, and the script that starts its islands.
 */
export function renderDocument(
  vnode: VNode | null,
  around: ((page: VNode) => VNode) | null,
  { url, cache }: { readonly url: URL; readonly cache: BuildCache | null },
): RenderedDocument {
  const state = newRenderState(url, cache);
  const content = withState(state, () => {
    const page = renderToString(vnode ?? h(Fragment, null));
    return around === null ? page : renderToString(around(jsxTemplate([page])));
  });
  const whole = complete(content, state.seen);
  return {
    html: `<!DOCTYPE html>${insertScript(whole, bootScript(state))}`,
    nonce: state.nonce,
    link: linkOf(state),
  };
}

installHooks();

/** Adds the outer elements that the page did not render itself. */
function complete(content: string, seen: ReadonlySet<string>): string {
  const body = seen.has("body") ? content : `<body>${content}</body>`;
  const head = seen.has("head") ? body : `<head><meta charset="utf-8"/></head>${body}`;
  return seen.has("html") ? head : `<html>${head}</html>`;
}

function insertScript(html: string, script: string): string {
  const end = html.lastIndexOf("</body>");
  return end < 0 ? html + script : html.slice(0, end) + script + html.slice(end);
}

function bootScript({ islands, cache, nonce }: RenderState): string {
  if (islands.length === 0 || cache === null) return "";
  const distinct = [
    ...new Map(islands.map(({ island }) => [island.name, island])).values(),
  ];
  const imports = distinct.map(({ name, exportName, chunk }) =>
    exportName === "default"
      ? `import ${name} from "${chunk}";`
      : `import { ${exportName === name ? name : `${exportName} as ${name}`} } from "${chunk}";`
  );
  const names = distinct.map(({ name }) => name).join(",");
  const props = inScript(
    JSON.stringify(serialize(islands.map(({ props }) => props))),
  );
  const boot = `import { boot } from "${cache.runtime}";${
    imports.join("")
  }boot({${names}},${props});`;
  return `<script type="module" nonce="${nonce}">${boot}</script>`;
}

/** Escapes text that would end a script or open a comment. */
function inScript(json: string): string {
  return json.replaceAll("<", "\\u003C");
}

function linkOf({ islands, cache }: RenderState): string {
  if (islands.length === 0 || cache === null) return "";
  const scripts = new Set([cache.runtime, ...islands.map(({ island }) => island.chunk)]);
  return [...scripts].map((path) => `<${path}>; rel="modulepreload"; as="script"`)
    .join(", ");
}
