import type { ComponentChildren, FunctionComponent } from "preact";
import type { Context } from "./context.ts";
import type { RouteHandler } from "./handlers.ts";

export type Middleware<State> = (
  ctx: Context<State>,
) => Response | Promise<Response>;

/** The props of a page and of the app. */
export interface PageProps<Data, State> {
  Component: FunctionComponent;
  data: Data;
  req: Request;
  state: State;
  url: URL;
}

/** A component of a route. */
export type RouteComponent<State, Data = unknown> = (
  props: PageProps<Data, State>,
) => ComponentChildren;

export interface Route<State> {
  component?: RouteComponent<State>;
  handler?: RouteHandler<unknown, State>;
}

/** An island in an island file. */
export interface Island {
  name: string;
  exportName: string;
  file: string;
}
