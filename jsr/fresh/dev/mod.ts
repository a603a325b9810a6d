/** Stand-in for `fresh/dev`: builds the console. */
export { Builder } from "./builder.ts";
