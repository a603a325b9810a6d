import type { ComponentChildren, FunctionComponent } from "preact";
import type { Context } from "./context.ts";
import type { RouteHandler } from "./handlers.ts";

export interface FreshConfig {
  basePath?: "";
  mode?: "development" | "production";
  trustProxy?: boolean;
}

export type ResolvedFreshConfig = Required<FreshConfig> & { root: string };

export type Lazy<T> = () => Promise<T>;
export type MaybeLazy<T> = T | Lazy<T>;

export type Middleware<State> = (
  ctx: Context<State>,
) => Response | Promise<Response>;

/** The props of a page, a layout, an error page and the app. */
export interface PageProps<Data = unknown, State = unknown> {
  Component: FunctionComponent;
  config: ResolvedFreshConfig;
  data: Data;
  error: unknown;
  info: Deno.ServeHandlerInfo;
  isPartial: boolean;
  params: Record<string, string>;
  req: Request;
  route: string | null;
  state: State;
  url: URL;
}

export type PageResult =
  | ComponentChildren
  | Response
  | Promise<ComponentChildren | Response>;

/** A component of a route; an async one may answer with a Response instead. */
export type RouteComponent<State, Data = unknown> = (
  props: PageProps<Data, State>,
) => PageResult;

export interface LayoutConfig {
  skipInheritedLayouts?: boolean;
  skipAppWrapper?: boolean;
}

export interface RouteConfig extends LayoutConfig {
  routeOverride?: string;
}

export interface Route<State> {
  component?: RouteComponent<State>;
  handler?: RouteHandler<unknown, State>;
  config?: RouteConfig;
}

/** An island in an island file. */
export interface Island {
  name: string;
  exportName: string;
  file: string;
}

export interface ListenOptions {
  port?: number;
  hostname?: string;
  signal?: AbortSignal;
  onListen?: (address: Deno.NetAddr) => void;
}
