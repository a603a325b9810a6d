import type { Context } from "fresh";
import type { VNode } from "preact";
import { renderToString } from "preact-render-to-string";

/** Marks the place of the late parts in a streamed page. */
export function LateParts() {
  return <template data-late="true" />;
}

const mark = /<template data-late[^>]*><\/template>/;
const scripts = /<script\b[^>]*>[\s\S]*?<\/script>/g;

/**
 * A page whose parts take longer than anybody waits for nothing: all of it up to `LateParts` is sent
 * at once, each part as it comes, then the rest. It needs no script and has none: those of a page
 * that is rendered whole carry a nonce that belongs to its answer. `parts` must not throw; whoever
 * leaves ends it.
 */
export async function streamedPage<State>(
  ctx: Pick<Context<State>, "render">,
  page: VNode,
  parts: AsyncIterable<VNode>,
): Promise<Response> {
  const response = await ctx.render(page);
  const [before, after = ""] = (await response.text()).replaceAll(scripts, "").split(mark);
  const headers = { "content-type": "text/html; charset=utf-8" };
  const chunks = inOrder(before, parts, after);
  return new Response(ReadableStream.from(chunks).pipeThrough(new TextEncoderStream()), {
    headers,
  });
}

async function* inOrder(
  before: string,
  parts: AsyncIterable<VNode>,
  after: string,
): AsyncGenerator<string> {
  yield before;
  for await (const part of parts) yield renderToString(part);
  yield after;
}
