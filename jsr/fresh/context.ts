import { type FunctionComponent, isValidElement, type VNode } from "preact";
import type { BuildCache } from "./build_cache.ts";
import { dress, type Wardrobe } from "./dress.ts";
import { renderDocument } from "./render/document.ts";
import { nonces } from "./render/nonce.ts";
import type { LayoutConfig, ResolvedFreshConfig } from "./types.ts";

type StreamChunk = string | Uint8Array;
type StreamSource = Iterable<StreamChunk> | AsyncIterable<StreamChunk>;

/** One request on its way through middlewares, handler and page. */
export class Context<in out State> {
  Component: FunctionComponent = () => null;
  readonly config: ResolvedFreshConfig;
  data: unknown = undefined;
  error: unknown = null;
  readonly info: Deno.ServeHandlerInfo;
  readonly isPartial = false;
  next: () => Promise<Response>;
  params: Record<string, string>;
  req: Request;
  route: string | null;
  readonly state: State;
  readonly url: URL;

  constructor(parts: ContextParts) {
    this.config = parts.config;
    this.info = parts.info;
    this.req = parts.request;
    this.url = parts.url;
    this.params = parts.params;
    this.route = parts.route;
    this.next = parts.next;
    // As in Fresh, the state starts empty and middlewares fill it, whatever its type demands.
    this.state = {} as State;
    backstage.set(this, {
      cache: parts.cache,
      wardrobe: { app: null, layouts: [] },
    });
  }

  /** Redirects; runs of slashes in a local path collapse, so that none leads to another host. */
  redirect(pathOrUrl: string, status = 302): Response {
    return new Response(null, {
      status,
      headers: { location: localPath(pathOrUrl) },
    });
  }

  async render(
    vnode: VNode | null,
    init: ResponseInit = {},
    config: LayoutConfig = {},
  ): Promise<Response> {
    if (vnode !== null && !isValidElement(vnode)) {
      throw new Error("Non-JSX element passed to: `ctx.render()`");
    }
    const { cache, wardrobe } = backstageOf(this);
    const dressed = await dress(this, vnode, pick(wardrobe, config));
    if (dressed instanceof Response) return dressed;
    const page = renderDocument(dressed, this.url, cache);
    const headers = new Headers(init.headers);
    headers.set("content-type", "text/html; charset=utf-8");
    if (page.link !== "") headers.append("link", page.link);
    const response = new Response(page.html, { ...init, headers });
    nonces.set(response, page.nonce);
    return response;
  }

  text(content: string, init?: ResponseInit): Response {
    return new Response(content, init);
  }

  html(content: string, init: ResponseInit = {}): Response {
    const headers = new Headers(init.headers);
    headers.set("content-type", "text/html; charset=utf-8");
    return new Response(content, { ...init, headers });
  }

  json(content: unknown, init?: ResponseInit): Response {
    return Response.json(content, init);
  }

  stream(
    source: StreamSource | (() => StreamSource),
    init?: ResponseInit,
  ): Response {
    const chunks = typeof source === "function" ? source() : source;
    const body = ReadableStream.from(chunks).pipeThrough(
      new TransformStream<StreamChunk, Uint8Array>({
        transform(chunk, controller) {
          controller.enqueue(
            typeof chunk === "string" ? encoder.encode(chunk) : chunk,
          );
        },
      }),
    );
    return new Response(body, init);
  }
}

export interface ContextParts {
  readonly config: ResolvedFreshConfig;
  readonly info: Deno.ServeHandlerInfo;
  readonly request: Request;
  readonly url: URL;
  readonly params: Record<string, string>;
  readonly route: string | null;
  readonly next: () => Promise<Response>;
  readonly cache: BuildCache | null;
}

/** The internal state of a context. */
export interface Backstage {
  readonly cache: BuildCache | null;
  wardrobe: Wardrobe;
}

export function backstageOf(ctx: object): Backstage {
  const found = backstage.get(ctx);
  if (found === undefined) {
    throw new TypeError("Cannot use context: App did not make it");
  }
  return found;
}

const backstage = new WeakMap<object, Backstage>();
const encoder = new TextEncoder();

function pick(wardrobe: Wardrobe, config: LayoutConfig): Wardrobe {
  return {
    app: config.skipAppWrapper ? null : wardrobe.app,
    layouts: config.skipInheritedLayouts ? [] : wardrobe.layouts,
  };
}

function localPath(pathOrUrl: string): string {
  if (!pathOrUrl.startsWith("/")) return pathOrUrl;
  const queryAt = pathOrUrl.search(/[?#]/);
  const end = queryAt < 0 ? pathOrUrl.length : queryAt;
  return pathOrUrl.slice(0, end).replace(/\/{2,}/g, "/") + pathOrUrl.slice(end);
}
