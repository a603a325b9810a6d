import { addresses, page, script, style } from "./reference/page.ts";

type Answer = () => Response | Promise<Response>;

/** Only files of this server: no other origin, nothing inline. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const safe = { "x-content-type-options": "nosniff", "referrer-policy": "same-origin" } as const;
const kept = {
  ...safe,
  "cache-control": "public, max-age=31536000, immutable",
} as const;

/** `GET /docs/api`: the API reference. */
export function referencePage(): Response {
  return new Response(page, {
    headers: {
      ...safe,
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": policy,
      "cache-control": "no-cache",
    },
  });
}

const packageFiles = new URL("../../static/reference/", import.meta.url);

/** The static files of the API reference, read on request. */
export const referenceFiles: ReadonlyMap<string, Answer> = new Map<string, Answer>([
  [`GET ${addresses.script}`, () => file(script, "text/javascript")],
  [`GET ${addresses.style}`, () => file(style, "text/css")],
  [
    `GET ${addresses.swaggerScript}`,
    () => packed("swagger-ui-bundle.js", "text/javascript"),
  ],
  [`GET ${addresses.swaggerStyle}`, () => packed("swagger-ui.css", "text/css")],
]);

function file(body: BodyInit, type: string): Response {
  return new Response(body, { headers: { ...kept, "content-type": `${type}; charset=utf-8` } });
}

/** Serves a file of the package, from which `tools/assets.ts` copied it. */
async function packed(name: string, type: string): Promise<Response> {
  const { readable } = await Deno.open(new URL(name, packageFiles));
  return file(readable, type);
}
