import { assert, assertEquals } from "@std/assert";
import { startArchive } from "../../lib/archive/mod.ts";
import { Metrics } from "../../lib/telemetry/mod.ts";
import { leaveRows } from "../store/log/log_rows.ts";
import { eventually, withMemoryStore, withTempFolder } from "../store/temp_store.ts";
import { callAt, dayMs, nowMs } from "./archived_store.ts";

/** Runs a test with seconds in place of hours. */
async function hurried(run: () => Promise<void>): Promise<void> {
  const { setTimeout } = globalThis;
  const soon = (act: () => void, ms = 0) => setTimeout(act, ms < 5_000 ? ms : 20);
  globalThis.setTimeout = soon as typeof setTimeout;
  try {
    await run();
  } finally {
    globalThis.setTimeout = setTimeout;
  }
}

Deno.test("archiver: the metric is the time of the last run without an error", () =>
  withTempFolder((folder) =>
    withMemoryStore((store) =>
      hurried(async () => {
        await leaveRows(store, [callAt(1, (nowMs - Date.now()) / dayMs + 40)]);
        const path = `${folder}/archive`;
        await Deno.writeTextFile(path, "a file, no folder");
        const said: string[] = [];
        const settings = { keepDays: 30, place: { type: "folder", path } } as const;
        const archive = startArchive(store, settings, (level) => void said.push(level));
        const startedMs = archive.succeededMs();
        const metrics = new Metrics();
        metrics.watchArchive(archive.succeededMs);
        assert(await eventually(() => said.length >= 2));
        assertEquals(said[0], "error");
        assertEquals(archive.succeededMs(), startedMs);
        await Deno.remove(path);
        assert(await eventually(() => archive.succeededMs() > startedMs));
        const seconds = archive.succeededMs() / 1_000;
        const text = await metrics.text();
        await archive.close();
        const [, shown] = /^tessera_archive_success_timestamp_seconds (\S+)$/m.exec(text) ?? [];
        assert(Number(shown) >= seconds, text);
      })
    )
  ));
