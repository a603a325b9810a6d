import { Fragment, type FunctionComponent, h, type VNode } from "preact";
import type { Context } from "./context.ts";
import type { PageProps, RouteComponent } from "./types.ts";

/** The wrappers of a page: its layouts from outer to inner, and the app around them. */
export interface Wardrobe {
  readonly app: AnyRouteComponent | null;
  readonly layouts: readonly AnyRouteComponent[];
}

/** A component whose state type is forgotten: it only ever meets contexts of its own app. */
export type AnyRouteComponent = RouteComponent<never, never>;

/** Wraps a page in its layouts and the app; returns the Response of an async one instead. */
export async function dress<State>(
  ctx: Context<State>,
  page: VNode | null,
  { app, layouts }: Wardrobe,
): Promise<VNode | Response | null> {
  const clothes = app === null ? layouts : [app, ...layouts];
  let inner = page;
  for (const component of clothes.toReversed()) {
    const child = inner;
    const result = await renderComponent(ctx, component, null, () => child);
    if (result instanceof Response) return result;
    inner = result;
  }
  return inner;
}

/** One component over the context; an async one is awaited, as the renderer itself cannot wait. */
export async function renderComponent<State>(
  ctx: Context<State>,
  component: AnyRouteComponent,
  data: unknown,
  Component: FunctionComponent = () => null,
): Promise<VNode | Response | null> {
  const props: object = propsOf(ctx, data, Component);
  if (!isAsync(component)) {
    // Sound: a component that is not async returns children, which is all that Preact asks of it.
    return h(component as FunctionComponent, props);
  }
  // Sound: see AnyRouteComponent.
  const result = await component(props as never);
  return result instanceof Response ? result : h(Fragment, null, result);
}

function propsOf<State>(
  ctx: Context<State>,
  data: unknown,
  Component: FunctionComponent,
): PageProps<unknown, State> {
  const { config, error, info, isPartial, params, req, route, state, url } = ctx;
  return {
    Component,
    config,
    data,
    error,
    info,
    isPartial,
    params,
    req,
    route,
    state,
    url,
  };
}

function isAsync(component: AnyRouteComponent): boolean {
  return component.constructor.name === "AsyncFunction";
}
