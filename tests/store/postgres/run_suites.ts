import { postgresPrograms, startPostgres } from "../../postgres_server.ts";

/**
 * Runs the tests of the store, the ledger and the money on PostgreSQL: those that use a store in
 * memory otherwise. Arguments are the folders, or the tests that use PostgreSQL's server itself.
 */
const folders = [
  "tests/store",
  "tests/ledger",
  "tests/funds",
  "tests/audit",
  "tests/responses_state",
];

if (postgresPrograms === undefined) console.log("ok | 0 passed | 0 failed | no PostgreSQL");
else {
  await using server = await startPostgres({ settings: { fsync: "off", max_connections: 300 } });
  const { code } = await new Deno.Command(Deno.execPath(), {
    args: [
      "test",
      "-A",
      "--config",
      "tests/deno.json",
      "--no-check",
      "--ignore=tests/store/postgres,tests/store/file,tests/store/transfer",
      ...Deno.args.length > 0 ? Deno.args : folders,
    ],
    env: { STORE: server.url("unused") },
  }).spawn().status;
  Deno.exitCode = code;
}
