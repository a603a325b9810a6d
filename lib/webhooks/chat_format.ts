import { z } from "zod";
import type { WebhookFormat } from "../store/webhooks/mod.ts";
import { eventPath } from "./event_path.ts";

/** The text of a message, and the page that it is about. */
interface ChatMessage {
  readonly text: string;
  /** Absent if the gateway does not know its public address. */
  readonly url?: string;
}

/** Discord refuses more than 2,000 characters; the others allow more. */
const charsMax = 1_800;
const linkText = "Open in Tessera";

const writers = {
  slack: ({ text, url }) => ({ text: withLink(escaped(text), url && `<${url}|${linkText}>`) }),
  // Nobody is mentioned, whatever the name of a key or a model contains.
  discord: ({ text, url }) => ({
    content: withLink(shortened(plain(text)), url),
    allowed_mentions: { parse: [] },
  }),
  teams: ({ text, url }) => ({
    type: "message",
    attachments: [{
      contentType: "application/vnd.microsoft.card.adaptive",
      content: {
        $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
        type: "AdaptiveCard",
        version: "1.4",
        body: [{ type: "TextBlock", text: plain(text), wrap: true }],
        ...(url && { actions: [{ type: "Action.OpenUrl", title: linkText, url }] }),
      },
    }],
  }),
  "google-chat": ({ text, url }) => ({
    text: withLink(escaped(text), url && `<${url}|${linkText}>`),
  }),
} as const satisfies Record<Exclude<WebhookFormat, "event">, (message: ChatMessage) => object>;

const eventSchema = z.object({
  type: z.string(),
  data: z.looseObject({ message: z.string() }),
});

/** Writes an event in a receiver's format. `publicUrl` begins the links to the console. */
export function bodyIn(
  format: WebhookFormat,
  body: string,
  publicUrl: string | undefined,
): string {
  if (format === "event") return body;
  const { type, data } = eventSchema.parse(JSON.parse(body));
  const path = eventPath(type, data);
  const url = publicUrl !== undefined && path !== undefined ? `${publicUrl}${path}` : undefined;
  const text = shortened(data.message);
  return JSON.stringify(writers[format]({ text, ...(url !== undefined && { url }) }));
}

function shortened(text: string): string {
  return text.length <= charsMax ? text : `${text.slice(0, charsMax)}…`;
}

function withLink(text: string, link: string | undefined): string {
  return link === undefined ? text : `${text}\n${link}`;
}

/** Discord and Teams read Markdown, in which a name could look like a link of the gateway. */
function plain(text: string): string {
  return text.replaceAll(/[\\`*_~|[\]()<>]/g, "\\$&");
}

/** Slack and Google Chat read `<…>` as a link or a mention. */
function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
