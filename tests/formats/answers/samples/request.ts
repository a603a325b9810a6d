import type { CanonicalRequest } from "../../../../lib/canonical/mod.ts";
import { bareRequest } from "../../requests/bare_request.ts";

const parameters = { type: "object", properties: {} };

/** The request of all samples: it declares their tools. */
export const lawRequest: CanonicalRequest = {
  ...bareRequest,
  model: "model-of-the-law",
  turns: [{ role: "user", parts: [{ type: "text", text: "Say all that you have." }] }],
  tools: [
    { type: "function", name: "get_weather", parameters },
    { type: "function", name: "get_time", parameters },
    { type: "function", name: "find_customer", namespace: "crm", parameters },
    { type: "custom", name: "apply_patch" },
  ],
};
