/**
 * The console: pages in `routes/`, their logic here. It opens nothing when imported;
 * the composition root hands it its services.
 */
export { consolePages } from "./load.ts";
export { type ConsoleServices, provideConsole } from "./session/services.ts";
