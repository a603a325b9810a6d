import type { Context } from "./context.ts";
import type { Middleware } from "./types.ts";

/** Runs middlewares from the first to the last; each reaches the next one by `ctx.next()`. */
export function runChain<State>(
  chain: readonly Middleware<State>[],
  ctx: Context<State>,
  last: () => Promise<Response>,
): Promise<Response> {
  const run = async (index: number): Promise<Response> => {
    if (index === chain.length) return await last();
    const outer = ctx.next;
    ctx.next = () => run(index + 1);
    try {
      return await chain[index](ctx);
    } finally {
      ctx.next = outer;
    }
  };
  return run(0);
}
