import type { GatewayError } from "../../canonical/mod.ts";

/** A part of a request that Claude Code can leave out, and the refusals that are about it. */
interface Capability {
  /** Its name in the message that the client obeys. */
  readonly name: string;
  /** The member that an upstream names. */
  readonly param?: RegExp;
  /** A refusal of the gateway's conversions, or of an upstream. */
  readonly message?: RegExp;
}

const refused = "(?:not supported|unsupported|not accept|do(?:es)? not support|cannot|invalid)";

/** The first match counts. Only words that name the content itself: a guess would hide the message. */
const capabilities: readonly Capability[] = [
  {
    name: "thinking_signature",
    message:
      /(?:thought|thinking)[ _-]?signature|signature`? in `?thinking|invalid_encrypted_content/i,
  },
  { name: "effort_unsupported", param: /(?:^|[._])effort$/ },
  {
    name: "structured_outputs_unsupported",
    param: /^(?:response_format|text\.format|output_config\.format|output_format)/,
  },
  {
    name: "image_block",
    message: about("(?:an? )?images?(?: input| content|_url)?"),
  },
  {
    name: "document_block",
    message: about("(?:an? )?(?:documents?|pdfs?|files?)(?: input| content| of type| stored| by)?"),
  },
];

/** A medium beside its refusal: `is an image of type …, which … does not accept`. */
function about(medium: string): RegExp {
  const said = `(?:\\bis ${medium}\\b|\\b${medium}[^.]{0,60}?${refused}|${refused} ${medium}\\b)`;
  return new RegExp(said, "i");
}

const charsMax = 2_000;

/**
 * The message at which Claude Code sends its request again without the part that was refused; it
 * must be the whole message (2.1.332, 2026-11). Undefined for every other client and error.
 */
export function repairMessage(error: GatewayError, headers: Headers): string | undefined {
  if (error.status !== 400 || !headers.has("x-claude-code-session-id")) return undefined;
  const { message, param = "", said } = error;
  const text = `${said?.code ?? ""} ${said?.message ?? message}`.slice(0, charsMax);
  const found = capabilities.find((one) => one.param?.test(param) || one.message?.test(text));
  return found && `capability_rejected: ${found.name}`;
}
