/** Stand-in for `fresh/runtime`: the imports that pages and islands share on both sides. */
export { HttpError } from "../error.ts";
export { asset, assetSrcSet } from "./asset.ts";
export { Head } from "./head.ts";

export const IS_BROWSER: boolean = typeof document !== "undefined";
