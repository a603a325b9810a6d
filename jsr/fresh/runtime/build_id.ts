/** Set by the bundler in the browser's copy, by the build cache on the server. */
declare const FRESH_BUILD_ID: string | undefined;

export const build = {
  id: typeof FRESH_BUILD_ID === "string" ? FRESH_BUILD_ID : "",
};
