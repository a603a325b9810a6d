/** A division of the main thread's time: the first item whose pattern matches a frame, `function file`. */
export type Division = readonly (readonly [item: string, frame: RegExp])[];

/** The item of all frames that no pattern matches. */
export const otherItem = "rest of the runtime";

/** The parts of a call. A frame without a match belongs to the nearest frame around it. */
export const parts: Division = [
  ["idle", /^\(idle\)/],
  ["garbage collector", /^\(garbage collector\)/],
  ["KV", /^op_(kv|fs_stat)|deno_kv|lib\/store\/(kv|file)\//],
  [
    "upstream client",
    /^op_(fetch|write|read|net)|26_fetch|deno_net|lib\/upstreams\/(fetch|send)\.ts/,
  ],
  ["server: request and response", /^op_http|deno_http|23_request|23_response/],
  ["timers", /lib\/http\/timers|02_timers/],
  [
    "dispatch",
    /lib\/(dispatcher|http\/(address|behind_proxies|call|cross_origin|endpoints))/,
  ],
  ["identity", /lib\/accounts\/|lib\/store\/directory\/|key_carrier|gateway\/create\.ts/],
  ["request body", /lib\/http\/(body|decode)|canonical\/json_text|\/envelope\.ts/],
  ["size of the prompt", /lib\/tokens\/|gateway\/(size|hosted_tools)/],
  ["limit headers", /formats\/limit_headers|lib\/http\/errors/],
  [
    "settling and row",
    /gateway\/(settle|call_record|record_wait)|ledger\/(settling|cost|group_commit)\.ts|store\/log\//,
  ],
  ["folding rows into sums", /lib\/store\/(settling|usage)\/|ledger\/compactor/],
  ["reservation", /lib\/ledger\/|gateway\/stages/],
  ["metrics and notices", /lib\/(telemetry|alerts)\/|prom-client/],
  ["candidates, health, attempts", /lib\/routing\/|gateway\/deliver/],
  ["upstream request and answer", /lib\/(upstreams|formats|http\/stream)\//],
  ["response", /lib\/http\/respond/],
  ["the line between them", /lib\/|main\.ts/],
];

/** The owner of the code that runs: the gateway, a package, or the runtime. */
export const origins: Division = [
  ["idle", /^\(idle\)/],
  ["packages", /node_modules/],
  ["the gateway's code", / file:/],
  ["garbage collector", /^\(garbage collector\)/],
  ["fetch: operations", /^op_fetch/],
  ["store: operations", /^op_kv/],
  ["server: operations", /^op_http/],
  ["other operations", /^op_/],
  ["the runtime's JavaScript", / (ext|node|checkin):/],
];
