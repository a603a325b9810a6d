import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import type { Caller } from "../../lib/accounts/authorize.ts";
import { GatewayError, type JsonObject } from "../../lib/canonical/mod.ts";
import { sessionOf, withBodySession, withSession } from "../../lib/gateway/call_session.ts";
import type { CallSession } from "../../lib/store/log/mod.ts";

const uuid = "4b1f9a52-0d8e-4c55-9d5e-1f5b8a6c7d20";

/** The headers of each client, as measured, and the session that they state. */
const read: Readonly<Record<string, [Record<string, string>, CallSession | undefined]>> = {
  "no session": [{ "user-agent": "curl/8" }, undefined],
  "Claude Code's main agent": [{ "x-claude-code-session-id": uuid }, { id: uuid }],
  "Claude Code's sub-agent": [{
    "x-claude-code-session-id": uuid,
    "x-claude-code-agent-id": "a1",
    "x-claude-code-request-class": "subagent",
  }, { id: uuid, agent: "a1", requestClass: "subagent" }],
  "a sub-agent of Claude Code's sub-agent": [{
    "x-claude-code-session-id": uuid,
    "x-claude-code-agent-id": "a2",
    "x-claude-code-parent-agent-id": "a1",
  }, { id: uuid, agent: "a2" }],
  "a sub-agent of Codex's sub-agent": [{
    "session-id": uuid,
    "thread-id": "t3",
    "x-codex-parent-thread-id": "t2",
    "x-openai-subagent": "collab_spawn",
  }, { id: uuid, agent: "t3", requestClass: "collab_spawn" }],
  "Codex's main agent": [{
    "session-id": uuid,
    "thread-id": uuid,
    "x-codex-turn-metadata": `{"session_id":"${uuid}","request_kind":"turn"}`,
  }, { id: uuid, requestClass: "turn" }],
  "Codex's sub-agent": [{
    "session-id": uuid,
    "thread-id": "t2",
    "x-openai-subagent": "collab_spawn",
    "x-codex-turn-metadata": '{"request_kind":"turn"}',
  }, { id: uuid, agent: "t2", requestClass: "collab_spawn" }],
  "opencode's main agent": [
    { "x-session-id": "ses_1", "x-session-affinity": "ses_1" },
    { id: "ses_1" },
  ],
  "opencode's sub-agent": [
    { "x-session-id": "ses_2", "x-session-affinity": "ses_2", "x-parent-session-id": "ses_1" },
    { id: "ses_1", agent: "ses_2" },
  ],
  "pi with affinity headers": [{ "x-session-affinity": "p1" }, { id: "p1" }],
  "our header": [{ "tessera-session": " build-7 " }, { id: "build-7" }],
  "our header before a client's": [
    { "tessera-session": "build-7/docs/main", "x-session-affinity": "ses_1" },
    { id: "build-7", agent: "docs", requestClass: "main" },
  ],
  "a hostile text of a client": [{ "x-session-affinity": "<script>" }, undefined],
  "a long text of a client": [{ "session-id": "a".repeat(101) }, undefined],
  "a hostile sub-agent": [
    { "session-id": "s", "thread-id": "a b", "x-openai-subagent": "\u00e9" },
    { id: "s" },
  ],
};
for (const [name, [headers, expected]] of Object.entries(read)) {
  Deno.test(`sessionOf reads ${name}`, () => {
    assertEquals(sessionOf(new Headers(headers)), expected);
  });
}

for (const text of ["a b", "a/b/c/d", "a//c", "/a", "a".repeat(101), "a/\u00e9"]) {
  Deno.test(`sessionOf refuses tessera-session: ${text.slice(0, 20)}`, () => {
    const error = assertThrows(
      () => sessionOf(new Headers({ "tessera-session": text })),
      GatewayError,
    );
    assertEquals([error.code, error.param], ["invalid_request", "tessera-session"]);
    assertStringIncludes(error.message, "ID/AGENT/CLASS");
  });
}

const bodies: Readonly<Record<string, [JsonObject, CallSession | undefined]>> = {
  "no session": [{ model: "m" }, undefined],
  "Codex's metadata": [
    { client_metadata: { session_id: "s", thread_id: "t" }, prompt_cache_key: uuid },
    { id: "s", agent: "t" },
  ],
  "Codex's metadata of a frame": [
    {
      client_metadata: {
        session_id: "s",
        thread_id: "s",
        "x-codex-turn-metadata": '{"session_id":"s","request_kind":"turn"}',
      },
    },
    { id: "s", requestClass: "turn" },
  ],
  "Codex's metadata of a sub-agent's frame": [
    { client_metadata: { session_id: "s", thread_id: "t", "x-openai-subagent": "collab_spawn" } },
    { id: "s", agent: "t", requestClass: "collab_spawn" },
  ],
  "Claude Code's user": [
    { metadata: { user_id: `{"device_id":"d","session_id":"${uuid}"}` } },
    { id: uuid },
  ],
  "an end user of an application": [{ metadata: { user_id: "user-17" } }, undefined],
  "a conversation's cache key": [
    { prompt_cache_key: `qwen-code:${uuid}` },
    { id: `qwen-code:${uuid}` },
  ],
  "a program's cache key": [{ prompt_cache_key: "my-app-v2" }, undefined],
  "values of other types": [{
    client_metadata: { session_id: 1 },
    metadata: [],
    prompt_cache_key: {},
  }, undefined],
};
for (const [name, [body, expected]] of Object.entries(bodies)) {
  Deno.test(`withBodySession reads ${name}`, () => {
    const caller = {} as Caller; // reads the session alone
    assertEquals(withBodySession(caller, body, new Headers()).session, expected);
  });
}

Deno.test("withBodySession keeps the session of the headers", () => {
  const caller = { session: { id: "a" } } as Caller; // reads the session alone
  assertEquals(withBodySession(caller, { prompt_cache_key: uuid }, new Headers()), caller);
});

Deno.test("withBodySession reads Codex's metadata before its headers, and not before ours", () => {
  const caller = { session: { id: "a", requestClass: "prewarm" } } as Caller; // reads the session alone
  const body = { client_metadata: { session_id: "a", thread_id: "t" } };
  assertEquals(withBodySession(caller, body, new Headers()).session, { id: "a", agent: "t" });
  assertEquals(withBodySession(caller, body, new Headers({ "tessera-session": "a" })), caller);
});

Deno.test("a call without a session costs five look-ups of headers", () => {
  const looked: string[] = [];
  const headers = new Headers();
  headers.get = (name) => {
    looked.push(name);
    return null;
  };
  const caller = {} as Caller; // reads the session alone
  assertEquals(withBodySession(withSession(caller, headers), {}, headers), caller);
  assertEquals(looked.length, 5);
});
