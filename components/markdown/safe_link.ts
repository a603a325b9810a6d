const protocols: ReadonlySet<string> = new Set(["https:", "http:", "mailto:"]);

/** The address of a link that may be followed: absolute, of the web or of mail. */
export function safeLink(href: string): string | undefined {
  try {
    const url = new URL(href);
    return protocols.has(url.protocol) ? url.href : undefined;
  } catch {
    return undefined;
  }
}

/** An image that is part of the text. Images from elsewhere would report who reads the answer. */
export function safeImage(href: string): string | undefined {
  return /^data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/]+=*$/.test(href)
    ? href
    : undefined;
}
