/** The parts of an OpenAPI document that the reference shows, without references. */
export interface Description {
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Paths;
  readonly webhooks: Paths;
}

export type Paths = Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;

export interface DescribedOperation {
  readonly operationId?: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly security?: readonly unknown[];
  readonly parameters?: readonly DescribedParameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<
    Record<string, { readonly description: string; readonly content?: Content }>
  >;
}

interface DescribedParameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

/** Schemas by media type. */
type Content = Readonly<Record<string, { readonly schema: Schema }>>;

/** JSON Schema, as far as the descriptions use it. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly format?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
}

/** Reads an OpenAPI document. Its references, of which none is circular, become what they name. */
export function readDescription(text: string): Description {
  const root = JSON.parse(text);
  const named = new Map<string, unknown>();
  // deno-lint-ignore no-explicit-any -- plain JSON; `openapi_test.ts` validates the document
  const inlined = (value: any): any => {
    if (Array.isArray(value)) return value.map(inlined);
    if (value === null || typeof value !== "object") return value;
    if (typeof value.$ref !== "string") {
      return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, inlined(each)]));
    }
    const path: string[] = value.$ref.split("/").slice(1);
    return named.getOrInsertComputed(
      value.$ref,
      () => inlined(path.reduce((part, name) => part[name], root)),
    );
  };
  return inlined({ tags: root.tags, paths: root.paths, webhooks: root.webhooks });
}
