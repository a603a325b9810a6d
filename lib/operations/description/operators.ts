import type { JsonObject } from "../../canonical/mod.ts";

const open = { security: [], tags: ["operators"] } as const;
const text: JsonObject = { "text/plain": { schema: { type: "string" } } };

function said(description: string, content: JsonObject = text): JsonObject {
  return { description, content };
}

function getOrHead(summary: string, responses: JsonObject): JsonObject {
  const described = { ...open, summary, responses };
  return { get: described, head: described };
}

const reachable: JsonObject = {
  head: {
    ...open,
    summary: "Check that the gateway is reachable",
    responses: { "200": { description: "The gateway is reachable" } },
  },
};

const json: JsonObject = { "application/json": { schema: { type: "object" } } };
const refused = { "400": said("The request is refused, with the `error` of RFC 6749", json) };

/** An endpoint of the sign-in by device code. */
function ofDevices(method: "get" | "post", summary: string, answers: JsonObject = {}): JsonObject {
  const responses = { "200": said("The answer", json), ...answers };
  return { [method]: { ...open, summary, responses } };
}

const unauthorized: JsonObject = { "401": { $ref: "#/components/responses/messages.error" } };
const telemetry = ofDevices("post", "Receive telemetry, and drop it", unauthorized);

const devicePaths: JsonObject = {
  "/.well-known/oauth-authorization-server": ofDevices("get", "The addresses of the sign-in"),
  "/oauth/device_authorization": ofDevices("post", "Start the sign-in of a device", refused),
  "/oauth/token": ofDevices("post", "Get or refresh the tokens of a device", {
    ...refused,
    "401": said("The sign-in has ended", json),
  }),
  "/oauth/revoke": ofDevices("post", "Sign a device out", refused),
  "/api/oauth/usage": ofDevices("get", "The budgets of the signed-in user", unauthorized),
  "/managed/settings": ofDevices("get", "The policy for Claude Code", {
    "304": { description: "The policy has not changed" },
    ...unauthorized,
    "404": said("There is none", json),
  }),
  "/protocol": {
    get: {
      ...open,
      summary: "The protocol of the sign-in",
      responses: {
        "200": said("The protocol", { "text/markdown": { schema: { type: "string" } } }),
      },
    },
  },
  "/v1/metrics": telemetry,
  "/v1/logs": telemetry,
  "/v1/traces": telemetry,
};

/** Endpoints that need no API key. */
export const operatorPaths: JsonObject = {
  "/healthz": getOrHead("Check that the process is up", { "200": said("The process is up") }),
  "/readyz": getOrHead("Check that calls can be answered", {
    "200": said("The store is available"),
    "503": said("The store is unavailable; the body names the fault and the remedy"),
  }),
  "/version": {
    get: {
      ...open,
      summary: "The gateway's version",
      responses: {
        "200": said("The version", {
          "application/json": {
            schema: {
              type: "object",
              properties: { version: { type: "string" } },
              required: ["version"],
            },
          },
        }),
      },
    },
  },
  "/metrics": {
    get: {
      ...open,
      summary: "Metrics for Prometheus",
      description:
        "Callers on other machines send the token `TESSERA_METRICS_TOKEN` as `Authorization: Bearer`.",
      responses: {
        "200": said("The metrics"),
        "401": { $ref: "#/components/responses/chat-completions.error" },
      },
    },
  },
  "/openapi.json": {
    get: {
      ...open,
      summary: "This description as OpenAPI",
      responses: {
        "200": said("OpenAPI 3.1", { "application/json": { schema: { type: "object" } } }),
      },
    },
  },
  "/stripe/webhook": {
    post: {
      ...open,
      summary: "Receive an event of the payment service",
      responses: {
        "200": said("The event is settled"),
        "400": said("The signature is missing or not from the payment service"),
        "404": said("Payments are not set up"),
        "503": said("The event could not be settled; send it again"),
      },
    },
  },
  ...devicePaths,
  "/": reachable,
  "/api/hello": reachable,
};
