import type { Catalog } from "../i18n/mod.ts";

interface BaseUrl {
  readonly what: string;
  readonly baseUrl: string;
}

/** The base URL to configure, by the kind of client. */
export function baseUrls(origin: string, { connect }: Catalog): readonly BaseUrl[] {
  return [
    { what: connect.chatAndResponses, baseUrl: `${origin}/v1` },
    { what: connect.messages, baseUrl: origin },
    { what: connect.generateContent, baseUrl: origin },
    { what: connect.generateContentRest, baseUrl: `${origin}/v1beta` },
  ];
}
