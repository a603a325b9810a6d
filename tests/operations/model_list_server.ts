import { chatAnswer } from "../formats/whole_answer.ts";
/** Servers that list their models and answer for them, as real ones do. */
export interface ListServer extends AsyncDisposable {
  readonly base: string;
  /** The models that it lists and serves; mutable. */
  readonly models: Set<string>;
  /** The paths of all requests, in order. */
  readonly asked: string[];
  /** If set, answers instead of the list. */
  instead?: () => Response | Promise<Response>;
}

/** Like Ollama: names with tags, no tag means `latest`, and 404 for a model that is not pulled. */
export function startOllama(names: readonly string[]): ListServer {
  return start(names, {
    list: (models) => ({
      object: "list",
      data: models.map((id) => ({ id, object: "model", created: 1, owned_by: "library" })),
    }),
    tags: (models) => ({ models: models.map((name) => ({ name, model: name, size: 1 })) }),
    knows: (models, name) => models.has(name) || models.has(`${name}:latest`),
  });
}

/** Like vLLM: one model with its context length. */
export function startVllm(names: readonly string[]): ListServer {
  return start(names, {
    list: (models) => ({
      object: "list",
      data: models.map((id) => ({
        id,
        object: "model",
        created: 1,
        owned_by: "vllm",
        root: id,
        parent: null,
        max_model_len: 40_960,
        permission: [],
      })),
    }),
    knows: (models, name) => models.has(name),
  });
}

interface Ways {
  readonly list: (models: readonly string[]) => object;
  readonly tags?: (models: readonly string[]) => object;
  readonly knows: (models: ReadonlySet<string>, name: string) => boolean;
}

function start(names: readonly string[], { list, tags, knows }: Ways): ListServer {
  const models = new Set(names);
  const asked: string[] = [];
  const answer = async (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url);
    asked.push(pathname);
    if (pathname === "/v1/models") {
      return await server.instead?.() ?? Response.json(list([...models]));
    }
    if (pathname === "/api/tags" && tags) return Response.json(tags([...models]));
    if (pathname !== "/v1/chat/completions") {
      return new Response("404 page not found", { status: 404 });
    }
    const { model } = await request.json();
    return knows(models, model) ? Response.json(chat(model)) : Response.json({
      error: {
        message: `model "${model}" not found, try pulling it first`,
        type: "not_found_error",
      },
    }, { status: 404 });
  };
  const http = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, answer);
  const server: ListServer = {
    base: `http://127.0.0.1:${http.addr.port}`,
    models,
    asked,
    [Symbol.asyncDispose]: () => http.shutdown(),
  };
  return server;
}

function chat(model: string): object {
  return chatAnswer({ content: "Hi" }, { model });
}
