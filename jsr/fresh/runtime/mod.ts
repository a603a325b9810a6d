/** Stand-in for `fresh/runtime`: the imports that pages and islands share on both sides. */
export { asset } from "./asset.ts";
export { Head } from "./head.ts";
