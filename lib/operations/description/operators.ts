import type { JsonObject } from "../../canonical/mod.ts";

const open = { security: [], tags: ["operators"] } as const;
const text: JsonObject = { "text/plain": { schema: { type: "string" } } };

function said(description: string, content: JsonObject = text): JsonObject {
  return { description, content };
}

const alive: JsonObject = { "200": said("It is up") };
const ready: JsonObject = {
  "200": said("The store answers"),
  "503": said("The store does not answer"),
};
const empty: JsonObject = { "200": { description: "Somebody is here" } };

/** Endpoints that need no key. */
export const operatorPaths: JsonObject = {
  "/healthz": {
    get: { ...open, summary: "Whether the process is up", responses: alive },
    head: { ...open, summary: "Whether the process is up", responses: alive },
  },
  "/readyz": {
    get: { ...open, summary: "Whether calls can be answered", responses: ready },
    head: { ...open, summary: "Whether calls can be answered", responses: ready },
  },
  "/metrics": {
    get: {
      ...open,
      summary: "Figures for Prometheus",
      responses: { "200": said("The figures") },
    },
  },
  "/openapi.json": {
    get: {
      ...open,
      summary: "This description",
      responses: {
        "200": said("OpenAPI 3.1", { "application/json": { schema: { type: "object" } } }),
      },
    },
  },
  "/docs/api": {
    get: {
      ...open,
      summary: "This description, to be read and tried out",
      responses: { "200": said("A page", { "text/html": { schema: { type: "string" } } }) },
    },
  },
  "/stripe/webhook": {
    post: {
      ...open,
      summary: "What the payment service tells, signed",
      responses: {
        "200": said("Taken"),
        "400": said("Not from the payment service"),
        "404": said("Payments are not set up"),
        "503": said("To be sent again"),
      },
    },
  },
  "/": { head: { ...open, summary: "Whether somebody is here", responses: empty } },
  "/api/hello": { head: { ...open, summary: "Whether somebody is here", responses: empty } },
};
