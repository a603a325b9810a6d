/** Stand-in for `fresh/dev`: builds the console. */
export { Builder, type BuilderOptions, type BuildOptions } from "./builder.ts";
