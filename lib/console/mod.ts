/**
 * The logic of the console's pages, which are in `routes/`. Importing it opens nothing; the
 * composition root provides its services.
 */
export { consolePages } from "./load.ts";
export { type ConsoleServices, consoleServices, provideConsole } from "./session/services.ts";
