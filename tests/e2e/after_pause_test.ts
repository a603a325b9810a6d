import { assert, assertEquals } from "@std/assert";
import { Activity } from "../../lib/activity.ts";
import { compose } from "../../main.ts";
import { later } from "../waiting.ts";

/** Waits between half of a pause's limit of 500 ms and three times of it. */
const [waitMsMin, waitMsMax] = [250, 1_500];

const info = {
  remoteAddr: { transport: "tcp", hostname: "127.0.0.1", port: 1 },
  completed: Promise.resolve(),
} as const;

for (
  const { path, status, waits } of [
    { path: "/healthz", status: 200, waits: false },
    { path: "/readyz", status: 200, waits: false },
    { path: "/metrics", status: 200, waits: false },
    { path: "/v1/models", status: 401, waits: true },
  ]
) {
  Deno.test(
    `after a pause ${path} ${
      waits ? "waits half a second at most" : "does not wait"
    } for a store that hangs`,
    async () => {
      const activity = new Activity(0);
      const stop = activity.every(1, (isResumed) => isResumed ? new Promise(() => {}) : undefined);
      const server = await compose({ TESSERA_KV: ":memory:" }, activity);
      await later(20);
      const startedAt = performance.now();
      const response = await server.fetch(new Request(`http://localhost${path}`), info);
      const ms = performance.now() - startedAt;
      await response.text();
      assertEquals(response.status, status);
      assert(waits ? ms > waitMsMin && ms < waitMsMax : ms < waitMsMin, `${ms} ms`);
      stop();
      await server.close();
    },
  );
}
