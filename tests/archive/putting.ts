import { openPlace } from "../../lib/archive/mod.ts";

/** Writes one file into a folder: a process with the permissions of a task. */
const [path] = Deno.args;
const bytes = new TextEncoder().encode("some bytes");
await openPlace({ type: "folder", path }).put("2026/11/21/file", { bytes, sha256: "" });
