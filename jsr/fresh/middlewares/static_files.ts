import type { StaticFile } from "../build_cache.ts";
import { type Context, siteOf } from "../context.ts";
import { build } from "../runtime/build_id.ts";
import { cacheBustKey } from "../runtime/asset.ts";
import type { Middleware } from "../types.ts";

/** Answers from the static folder and from the built scripts; all else goes on. */
export function staticFiles<State>(): Middleware<State> {
  return async (ctx) => {
    const file = await fileFor(ctx);
    if (file === null) {
      return ctx.url.pathname === "/favicon.ico" ? new Response(null, { status: 404 }) : ctx.next();
    }
    if (ctx.req.method !== "GET" && ctx.req.method !== "HEAD") {
      return new Response("Method Not Allowed", { status: 405 });
    }
    const key = ctx.url.searchParams.get(cacheBustKey);
    if (key !== null && key !== build.id) return redirectToPlain(ctx.url);
    return respond(ctx.req, file, file.immutable || key !== null);
  };
}

async function fileFor<State>(ctx: Context<State>): Promise<StaticFile | null> {
  const { cache } = siteOf(ctx);
  if (cache === null || ctx.url.pathname === "/") return null;
  try {
    return await cache.readFile(decodeURIComponent(ctx.url.pathname));
  } catch (error) {
    if (error instanceof URIError) return null;
    throw error;
  }
}

/** A page of an older build asks for a file of its time: it gets today's, uncached. */
function redirectToPlain(url: URL): Response {
  const plain = new URL(url);
  plain.searchParams.delete(cacheBustKey);
  return new Response(null, {
    status: 307,
    headers: { location: plain.pathname + plain.search },
  });
}

function respond(
  request: Request,
  file: StaticFile,
  immutable: boolean,
): Response {
  const etag = `W/"${file.hash}"`;
  const headers = new Headers({
    "content-type": file.contentType,
    vary: "If-None-Match",
  });
  if (request.headers.get("if-none-match") === etag) {
    return new Response(null, { status: 304, headers });
  }
  headers.set("etag", etag);
  headers.set("content-length", String(file.body.byteLength));
  headers.set(
    "cache-control",
    immutable
      ? "public, max-age=31536000, immutable"
      : "no-cache, no-store, max-age=0, must-revalidate",
  );
  return new Response(request.method === "HEAD" ? null : file.body, {
    headers,
  });
}
