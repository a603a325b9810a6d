/** A table of names and figures. */
export interface MailTable {
  readonly title: string;
  readonly rows: readonly (readonly [name: string, value: string])[];
}

/** A mail before it is laid out. Nothing in it is HTML. */
export interface MailContent {
  readonly subject: string;
  readonly lines: readonly string[];
  readonly facts?: MailTable["rows"];
  readonly tables?: readonly MailTable[];
  readonly action?: MailLink;
  /** Small print below the button. */
  readonly note?: string;
}

interface MailLink {
  readonly label: string;
  readonly url: string;
}

interface MailFooter {
  readonly text: string;
  readonly pasteLink: string;
  /** The page on which the reader chooses mails. */
  readonly link?: MailLink;
  readonly locale: string;
}

/** Lays out a mail as plain text. */
export function plainTextOf(
  { lines, facts = [], tables = [], action, note }: MailContent,
  { text, link }: MailFooter,
): string {
  const parts = [
    lines.join("\n"),
    linesOf(facts),
    ...tables.map(({ title, rows }) => `${title}\n${linesOf(rows)}`),
    action && `${action.label}:\n${action.url}`,
    note,
    ["-- ", text, link && `${link.label}: ${link.url}`].filter(Boolean).join("\n"),
  ];
  return parts.filter((part) => part).join("\n\n");
}

function linesOf(rows: MailTable["rows"]): string {
  return rows.map(([name, value]) => `${name}: ${value}`).join("\n");
}

const font =
  "font-family:-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,'PingFang SC','Microsoft YaHei',sans-serif";
const soft = "color:#6b7280";
/** Dark mail programs invert light mails by themselves; these rules keep their contrast. */
const darkStyle = [
  "@media (prefers-color-scheme:dark){",
  "body,.page{background:#16181d!important}.card{background:#1f2229!important;border-color:#343841!important}",
  ".card,.card td,.card p,.card h1{color:#e7e9ee!important}.soft,.card td.soft{color:#9aa1ad!important}",
  ".row td{border-color:#343841!important}}",
].join("");

/** Lays out a mail as HTML with inline styles, because mail programs know few others. */
export function htmlOf(content: MailContent, footer: MailFooter): string {
  const { subject, lines, facts = [], tables = [], action, note } = content;
  const [first, ...rest] = lines;
  const body = [
    `<h1 style="margin:0 0 12px;font-size:18px;line-height:1.4;font-weight:600">${
      escaped(first)
    }</h1>`,
    ...rest.map((line) => `<p style="margin:0 0 12px">${escaped(line)}</p>`),
    tableOf(facts),
    ...tables.map(({ title, rows }) =>
      `<p class="soft" style="margin:20px 0 4px;font-size:13px;${soft}">${escaped(title)}</p>${
        tableOf(rows)
      }`
    ),
    action && buttonOf(action),
    action && pasteOf(action, footer.pasteLink),
    note && `<p class="soft" style="margin:16px 0 0;font-size:13px;${soft}">${escaped(note)}</p>`,
  ].filter((part) => part).join("");
  return `<!doctype html><html lang="${footer.locale}"><head><meta charset="utf-8">` +
    `<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">` +
    `<title>${escaped(subject)}</title><style>${darkStyle}</style></head>` +
    `<body style="margin:0;background:#f5f6f8"><table role="presentation" class="page" width="100%" ` +
    `cellpadding="0" cellspacing="0" style="background:#f5f6f8"><tr><td align="center" style="padding:24px 12px">` +
    `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px">` +
    `<tr><td class="card" style="padding:24px;background:#fff;border:1px solid #e3e6eb;border-radius:8px;` +
    `color:#1b1f24;font-size:15px;line-height:1.5;${font}">${body}</td></tr>` +
    `<tr><td class="soft" style="padding:16px 24px;font-size:12px;line-height:1.5;${soft};${font}">` +
    `${footerOf(footer)}</td></tr></table></td></tr></table></body></html>`;
}

function tableOf(rows: MailTable["rows"]): string {
  if (rows.length === 0) return "";
  const cells = rows.map(([name, value]) =>
    `<tr class="row"><td style="padding:6px 12px 6px 0;border-bottom:1px solid #e3e6eb;word-break:break-word">${
      escaped(name)
    }</td><td align="right" style="padding:6px 0;border-bottom:1px solid #e3e6eb;` +
    `font-variant-numeric:tabular-nums">${escaped(value)}</td></tr>`
  ).join("");
  return `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" ` +
    `style="font-size:14px;border-collapse:collapse">${cells}</table>`;
}

function buttonOf({ label, url }: MailLink): string {
  return `<p style="margin:20px 0 0"><a href="${escaped(url)}" style="display:inline-block;` +
    `padding:10px 16px;border-radius:6px;background:#0c6650;color:#fff;font-weight:600;` +
    `text-decoration:none">${escaped(label)}</a></p>`;
}

function pasteOf({ url }: MailLink, text: string): string {
  return `<p class="soft" style="margin:16px 0 0;font-size:13px;${soft};word-break:break-all">` +
    `${escaped(text)}<br>${escaped(url)}</p>`;
}

function footerOf({ text, link }: MailFooter): string {
  const href = link && ` <a href="${escaped(link.url)}" style="${soft}">${escaped(link.label)}</a>`;
  return `${escaped(text)}${href ?? ""}`;
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character]);
}
