import { openFigures } from "./scene.ts";
import { figures, totals } from "./shown.ts";
const scene = await openFigures({ users: 12, keys: 30, projects: 8, calls: 1_500, days: 60 });
const pages = [
  "/console/token?who=everyone",
  "/console/token/key_0003",
  "/console/admin/users",
  "/console/admin/users/usr_0003",
  "/console/admin/projects",
  "/console/admin/projects/project-3",
  "/console/admin/groups",
  "/console/admin/groups/default",
  "/console/pricing",
  "/console/pricing/model?name=model-3",
  "/console/pricing?show=unpriced",
  "/console/admin/upstreams",
  "/console/admin/upstreams/upstream-2",
  "/console/admin/projects/tags",
  "/console/topup",
  "/console/admin/users/usr_0003/funds",
  "/console/log?who=everyone",
  "/console/log?who=everyone&model=model-2&period=7d",
];
for (const path of pages) {
  const { status, html } = await scene.admin.get(path);
  console.log("\n=====", path, status);
  console.log(figures(html), totals(html));
  for (const [, caption] of html.matchAll(/<caption class="unseen">(.*?)<\/caption>/g)) {
    const { tableRows } = await import("./shown.ts");
    const rows = tableRows(html, caption);
    console.log(caption, rows.length, JSON.stringify(rows[0]));
  }
}
Deno.exit();
