import { cloudAddress } from "../cloud_address.ts";
import { isFields, parsed } from "../source_object.ts";
import { type CloudFields, machineSignIn, type Place, type SignIn } from "./cloud_fields.ts";

const ownEndpoint = "own endpoints of Vertex AI have APIs of their own";

/** The reasons for leaving out Vertex AI's models of these prefixes. */
const refused: Readonly<Partial<Record<string, string>>> = {
  gemma: ownEndpoint,
  bge: ownEndpoint,
  agent_engine: "it is an agent of Vertex AI, not a model",
};

/** The publishers whose models Vertex AI serves in OpenAI's format, as `meta/llama-…`. */
const publishers = /^(meta|mistralai|xai|openai|qwen|deepseek-ai|moonshotai|zai-org|minimaxai)\//;

/** A model of Vertex AI. */
export function readVertex(model: string, fields: CloudFields): Place | string {
  const served = servedBy(model);
  if (typeof served === "string") return served;
  const apiKey = fields.value("api_key");
  if (apiKey !== undefined) return expressPlace(served, apiKey);
  const signIn = signInOf(fields);
  const project = fields.either(projectFields, "VERTEXAI_PROJECT") ?? projectIn(signIn);
  if (project === undefined) return "it needs vertex_project";
  const location = locationOf(fields);
  return {
    provider: `vertex-${location}`,
    address: cloudAddress(
      { surface: "vertex", project, location },
      fields.value("api_base", "VERTEXAI_API_BASE"),
    ),
    model: served.model,
    signIn,
  };
}

/** Express mode: Gemini with a key, without a project. */
function expressPlace({ model }: Served, credential: string): Place | string {
  if (!model.startsWith("gemini")) return "Vertex AI takes API keys for Gemini only";
  const address = cloudAddress({ surface: "vertex" });
  return { provider: "vertex-express", address, model, signIn: { credential } };
}

interface Served {
  readonly model: string;
}

function servedBy(model: string): Served | string {
  const [prefix] = model.split("/");
  const reason = Object.hasOwn(refused, prefix) ? refused[prefix] : undefined;
  if (reason !== undefined) return reason;
  if (/^\d+$/.test(model)) return ownEndpoint;
  const bare = model.replace(/^(gemini|google|anthropic)\//, "");
  if (/^(claude|gemini)/.test(bare)) return { model: bare };
  return publishers.test(model)
    ? { model }
    : "Tessera calls Gemini, Claude and models in OpenAI's format on Vertex AI";
}

const projectFields = ["vertex_project", "vertex_ai_project"];
const locationFields = ["vertex_location", "vertex_ai_location"];

/** Without any, LiteLLM calls `us-central1`. */
function locationOf(fields: CloudFields): string {
  const named = fields.either(locationFields, "VERTEXAI_LOCATION", "VERTEX_LOCATION");
  if (named !== undefined) return named;
  fields.params.changed("model", "in us-central1, LiteLLM's location if none is set");
  return "us-central1";
}

/** Credentials are a path or the JSON itself; without any, Google's metadata server gives them. */
function signInOf(fields: CloudFields): SignIn {
  const field = credentialFields.find((name) => fields.params.fields[name] !== undefined);
  const written = field === undefined ? undefined : fields.params.fields[field];
  if (field !== undefined && isFields(written)) {
    fields.params.object(field);
    return usable(JSON.stringify(written), field, fields);
  }
  const value = field === undefined
    ? fields.either([], "VERTEXAI_CREDENTIALS", "GOOGLE_APPLICATION_CREDENTIALS")
    : fields.value(field);
  if (value !== undefined) {
    return usable(value.startsWith("{") ? value : fileText(value), field, fields);
  }
  if (field !== undefined) return { lacks: "the variable of its credentials is not set" };
  return machineSignIn({ type: "google_metadata" });
}

const ofMachine = "its credentials name the machine's own: put them into the configuration file";
const credentialFields = ["vertex_credentials", "vertex_ai_credentials"];
const types = ["service_account", "external_account", "authorized_user"];

function usable(
  text: string | undefined,
  field: string | undefined,
  { params }: CloudFields,
): SignIn {
  const source = text === undefined ? undefined : parsed(text);
  if (isFields(source) && types.includes(String(source.type))) {
    const origin = isFields(source.credential_source) ? source.credential_source : {};
    const lacks = "file" in origin || "environment_id" in origin ? ofMachine : undefined;
    return { credential: JSON.stringify(source), ...(lacks !== undefined && { lacks }) };
  }
  const why = text === undefined
    ? "the file of its credentials cannot be read here"
    : "its credentials are of an unknown type";
  if (field !== undefined) params.unknown(field, why);
  return { lacks: why };
}

/** LiteLLM reads the file at its start; the import takes its text over. */
function fileText(path: string): string | undefined {
  try {
    return Deno.readTextFileSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.PermissionDenied) {
      return undefined;
    }
    throw error;
  }
}

/** The project of a service account, which LiteLLM takes if none is set. */
function projectIn(signIn: SignIn): string | undefined {
  const source = parsed(signIn.credential ?? "");
  const project = isFields(source) ? source.project_id ?? source.quota_project_id : undefined;
  return typeof project === "string" ? project : undefined;
}
