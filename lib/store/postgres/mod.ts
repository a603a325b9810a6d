export { inspectPostgres, type PostgresFacts } from "./inspect.ts";
export { type PostgresLocation, postgresLocation } from "./location.ts";
export { PostgresEngine } from "./postgres_engine.ts";
