import { assertEquals } from "@std/assert";
import { wireFaults, wireValues } from "../../lib/admin/upstreams/upstream_wire_form.ts";
import { upstreamSchema } from "../../lib/config/upstream.ts";

/** The configuration file; and the form of the console, by which the management API checks, too. */
const rules: Readonly<Record<string, (header: string) => boolean>> = {
  "configuration file": (header) =>
    upstreamSchema.safeParse({
      id: "acme",
      endpoints: { "chat-completions": "https://api.example.com/v1" },
      auth: { header },
    }).success,
  "console and management API": (authHeader) =>
    wireFaults({ ...wireValues(), authHeader }).authHeader === undefined,
};

const refused = [
  ...["Host", "content-length", "Transfer-Encoding", "CONNECTION", "keep-alive", "te", "trailer"],
  ...["upgrade", "expect", "via", "date", "proxy-authorization", "proxy-connection"],
  ...["content-type", "content-encoding", "accept", "accept-encoding", "http2-settings"],
  ...["a b", "x:y", "größe", "x".repeat(101)],
];
const allowed = [
  "authorization",
  "Authorization",
  "x-api-key",
  "api-key",
  "x-goog-api-key",
  "cookie",
];

for (const [name, isAllowed] of Object.entries(rules)) {
  Deno.test(`credential header: ${name}`, () => {
    assertEquals(refused.filter(isAllowed), []);
    assertEquals(allowed.filter(isAllowed), allowed);
  });
}
