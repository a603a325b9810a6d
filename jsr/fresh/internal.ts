/** For the code that a build writes, and for nothing else. */
export { setBuildCache } from "./build_cache.ts";
export { ProdBuildCache } from "./prod_build_cache.ts";
