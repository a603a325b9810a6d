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
 * Streams a page with slow parts: sends everything up to `LateParts` at once, each part as it
 * completes, then the rest. The page has no scripts, because a nonce is valid for one response.
 * `parts` must not throw; a disconnected caller ends it.
 */
export async function streamedPage<State>(
  ctx: Pick<Context<State>, "render">,
  page: VNode,
  parts: AsyncIterable<VNode>,
): Promise<Response> {
  const response = await ctx.render(page);
  const [before, after = ""] = (await response.text()).replaceAll(scripts, "").split(mark);
  const headers = {
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store, no-transform", // compression would delay the parts
  };
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
