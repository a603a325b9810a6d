import project from "../deno.json" with { type: "json" };

/** The version of the gateway. */
export const { version } = project;
