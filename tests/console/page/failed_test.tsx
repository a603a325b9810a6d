import { assertStringIncludes } from "@std/assert";
import { renderToString } from "preact-render-to-string";
import { Failed } from "../../../components/States.tsx";
import { catalogs } from "../../../lib/console/i18n/mod.ts";
import { formatsFor } from "../../../lib/console/page/format.ts";

Deno.test("Failed: says where the cause is; a retry does not repeat the last result", () => {
  const formats = formatsFor({ locale: "en", timeZone: "UTC", nowMs: 0 });
  const view = { catalog: catalogs.en, formats, path: "/console/token?status=active&done=saved" };
  const html = renderToString(<Failed view={view} title="Could not load your keys" />);
  assertStringIncludes(html, 'href="/console/token?status=active"');
  assertStringIncludes(html, "Find the cause in the server's log at 1970");
});
