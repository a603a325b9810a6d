import { type FunctionComponent, h, type VNode } from "preact";
import type { BuildCache } from "./build_cache.ts";
import { renderDocument } from "./render/document.ts";
import { nonces } from "./render/nonce.ts";
import type { PageProps, RouteComponent } from "./types.ts";

/** The component around every page; its state type is forgotten: it only meets its own app's. */
export type AppComponent = RouteComponent<never, never>;

/** The build of a context's app, and the component around its pages. */
export interface Site {
  readonly cache: BuildCache | null;
  readonly app: AppComponent | null;
}

/** One request on its way through middlewares, handler and page. */
export class Context<in out State> {
  readonly info: Deno.ServeHandlerInfo;
  next: () => Promise<Response>;
  params: Record<string, string>;
  req: Request;
  route: string | null;
  readonly state: State;
  readonly url: URL;

  constructor(parts: ContextParts) {
    this.info = parts.info;
    this.req = parts.request;
    this.url = parts.url;
    this.params = parts.params;
    this.route = parts.route;
    this.next = parts.next;
    // As in Fresh, the state starts empty and middlewares fill it, whatever its type demands.
    this.state = {} as State;
    sites.set(this, parts.site);
  }

  /** Redirects; runs of slashes in a local path collapse, so that none leads to another host. */
  redirect(pathOrUrl: string, status = 302): Response {
    return new Response(null, { status, headers: { location: localPath(pathOrUrl) } });
  }

  // deno-lint-ignore require-await -- asynchronous in Fresh
  async render(
    vnode: VNode | null,
    init: ResponseInit = {},
    config: LayoutConfig = {},
  ): Promise<Response> {
    const { cache, app } = siteOf(this);
    const around = app === null || config.skipAppWrapper
      ? null
      : (page: VNode) => componentOver(this, app, undefined, () => page);
    const page = renderDocument(vnode, around, { url: this.url, cache });
    const headers = new Headers(init.headers);
    headers.set("content-type", "text/html; charset=utf-8");
    if (page.link !== "") headers.append("link", page.link);
    const response = new Response(page.html, { ...init, headers });
    nonces.set(response, page.nonce);
    return response;
  }
}

interface LayoutConfig {
  /** Has no effect here: this stand-in has no layouts. */
  skipInheritedLayouts?: boolean;
  skipAppWrapper?: boolean;
}

interface ContextParts {
  readonly info: Deno.ServeHandlerInfo;
  readonly request: Request;
  readonly url: URL;
  readonly params: Record<string, string>;
  readonly route: string | null;
  readonly next: () => Promise<Response>;
  readonly site: Site;
}

/** A component with the props that a context has for it. */
export function componentOver<State>(
  { req, state, url }: Context<State>,
  component: RouteComponent<never, never>,
  data: unknown,
  Component: FunctionComponent = () => null,
): VNode {
  const props: PageProps<unknown, State> = { Component, data, req, state, url };
  // Sound: a component of this app, given its own state and the data of its own handler.
  return h(component as FunctionComponent<object>, props);
}

export function siteOf(ctx: object): Site {
  const found = sites.get(ctx);
  if (found === undefined) throw new TypeError("Cannot use context: App did not make it");
  return found;
}

const sites = new WeakMap<object, Site>();

function localPath(pathOrUrl: string): string {
  if (!pathOrUrl.startsWith("/")) return pathOrUrl;
  const queryAt = pathOrUrl.search(/[?#]/);
  const end = queryAt < 0 ? pathOrUrl.length : queryAt;
  return pathOrUrl.slice(0, end).replace(/\/{2,}/g, "/") + pathOrUrl.slice(end);
}
