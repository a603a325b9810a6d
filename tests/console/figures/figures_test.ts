import { assert, assertEquals } from "@std/assert";
import { overviewFigures } from "./overview_figures.ts";
import { alertFigures } from "./alert_figures.ts";
import { apiFigures } from "./api_figures.ts";
import { logFigures } from "./log_figures.ts";
import {
  catalogFigures,
  keyFigures,
  projectFigures,
  userFigures,
  walletFigures,
} from "./page_figures.ts";
import { type FigureScene, openFigures } from "./scene.ts";

const whole = Deno.env.get("EVERY_ROW") === "1";
const size = whole
  ? { users: 200, keys: 600, projects: 20, calls: 200_000, days: 60, callsPerSession: 20 }
  : { users: 12, keys: 30, projects: 8, calls: 1_500, days: 60, callsPerSession: 4 };

const checks: Readonly<Record<string, (scene: FigureScene) => Promise<void>>> = {
  overview: overviewFigures,
  keys: keyFigures,
  users: userFigures,
  projects: projectFigures,
  catalog: catalogFigures,
  wallet: walletFigures,
  log: logFigures,
  alerts: alertFigures,
  api: apiFigures,
};

Deno.test({
  name:
    `figures: every page of ${size.users} users and ${size.calls} calls agrees with the log's rows`,
  // The worker that checks passwords outlives the test that starts it.
  sanitizeOps: false,
  sanitizeResources: false,
  fn: async (test) => {
    await using scene = await openFigures(size, whole);
    for (const [name, check] of Object.entries(checks)) {
      await test.step(name, async () => {
        const [before, from] = [scene.differences.length, scene.compared()];
        await check(scene);
        assert(scene.compared() > from);
        assertEquals(scene.differences.slice(before), []);
      });
    }
  },
});
