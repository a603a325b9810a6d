/** The variables that Deno Deploy sets for an app, as its documentation lists them (2026-08). */
export const deployEnv = {
  DENO_DEPLOY: "true",
  DENO_DEPLOY_ORG_ID: "0f6e0d2c-5a3e-4b1d-9a53-1f2f2a7e5c10",
  DENO_DEPLOY_ORG_SLUG: "org",
  DENO_DEPLOY_APP_ID: "7d2b7d1e-0c0b-4e35-8a6c-5b1fbb6b2c11",
  DENO_DEPLOY_APP_SLUG: "app",
  DENO_DEPLOY_BUILD_ID: "k3v9x2m1",
  DENO_DEPLOYMENT_ID: "k3v9x2m1",
  DENO_TIMELINE: "production",
} as const;
