import { openAiBilling } from "../billing.ts";

export const billing = openAiBilling(["standard", "flex", "reserved", "fast"]);
