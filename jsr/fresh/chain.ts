import type { Context } from "./context.ts";
import type { MaybeLazy, Middleware } from "./types.ts";

/** Runs middlewares from the first to the last; each reaches the next one by `ctx.next()`. */
export function runChain<State>(
  chain: readonly MaybeLazy<Middleware<State>>[],
  ctx: Context<State>,
  last: () => Promise<Response>,
): Promise<Response> {
  const run = async (index: number): Promise<Response> => {
    if (index === chain.length) return await last();
    const outer = ctx.next;
    ctx.next = () => run(index + 1);
    try {
      const result = await chain[index](ctx);
      return typeof result === "function" ? await result(ctx) : result;
    } catch (error) {
      ctx.error = error;
      throw error;
    } finally {
      ctx.next = outer;
    }
  };
  return run(0);
}
