import { z } from "zod";
import { type WebhookFormat, webhookFormats } from "../store/webhooks/mod.ts";
import { fieldListOf, must, strict, usdAmount } from "./fields.ts";

/** The thresholds of alerts, and their destination. */
export interface AlertSettings {
  /** Percentages of a budget, ascending and unique. */
  readonly thresholds: readonly number[];
  /** A balance below this amount raises an alert. */
  readonly lowBalanceNanoUsd: bigint;
  /** Absent: alerts are shown and logged only. */
  readonly webhook?: WebhookSettings;
}

/** The receiver of alerts. Contains a secret. */
export interface WebhookSettings {
  readonly url: string;
  /** Absent: the signed event. */
  readonly format?: WebhookFormat;
  /** `whsec_` and base64, as in Standard Webhooks; absent for messages of chats, which are not signed. */
  readonly secret?: string;
}

const percentText = "a whole percentage from 1 to 100";
const percent = z.int(must(percentText)).min(1, must(percentText)).max(100, must(percentText));

const urlText = "an address such as https://hooks.example.com/tessera";
const webhookUrl = z.string(must(urlText)).trim().superRefine((text, context) => {
  const message = webhookUrlFault(text);
  if (message !== undefined) context.addIssue({ code: "custom", message });
});

const [secretBytesMin, secretBytesMax] = [24, 64];
const secretText =
  `whsec_ and the base64 of ${secretBytesMin} to ${secretBytesMax} random bytes, such as the output of openssl rand -base64 32`;
/** A refinement instead of a pattern, because the JSON schema must also admit `${NAME}`. */
const webhookSecret = z.string(must(secretText)).trim().refine(isSecret, must(secretText));

/** The part `alerts` of the configuration file. */
export const alertsSchema = strict({
  thresholds: fieldListOf(percent, "percentages").default([50, 80, 100])
    .describe("Percentages of a budget at which an alert is raised"),
  lowBalanceUsd: usdAmount.default(5)
    .describe("A prepaid balance below this amount raises an alert; 0: only a refused call does"),
  webhook: strict({
    url: webhookUrl.describe("Where alerts are sent, such as https://hooks.example.com/tessera"),
    format: z.enum(webhookFormats).optional().describe(
      "event: the signed event; else a message for the incoming webhook of that chat",
    ),
    secret: webhookSecret.optional().describe(
      "Signing secret of the webhooks, as in Standard Webhooks; best as ${NAME}. Needed for events",
    ),
  }).refine(({ format = "event", secret }) => format !== "event" || secret !== undefined, {
    path: ["secret"],
    message: `is missing: it must be ${secretText}`,
  }).optional().describe(
    "Receiver of alerts; without one, alerts appear only in the console, the log and the metrics",
  ),
});

/** Converts the field names of the file to the program's own. */
export function alertSettings(
  { thresholds, lowBalanceUsd, webhook }: z.infer<typeof alertsSchema>,
): AlertSettings {
  return {
    thresholds: [...new Set(thresholds)].sort((a, b) => a - b),
    lowBalanceNanoUsd: BigInt(Math.round(lowBalanceUsd * 1e9)),
    ...(webhook && { webhook }),
  };
}

/** The reason why a text is not the address of a webhook, beginning with a verb; undefined if it is. */
export function webhookUrlFault(text: string): string | undefined {
  const url = URL.parse(text);
  if (url === null || !["http:", "https:"].includes(url.protocol)) return `must be ${urlText}`;
  if (url.username !== "" || url.password !== "") {
    return "must be an address without user and password: the signature authenticates the sender";
  }
  return url.hash === "" ? undefined : "must be an address without #";
}

function isSecret(text: string): boolean {
  try {
    const { length } = Uint8Array.fromBase64(text.replace(/^whsec_/, ""));
    return length >= secretBytesMin && length <= secretBytesMax;
  } catch {
    return false;
  }
}
