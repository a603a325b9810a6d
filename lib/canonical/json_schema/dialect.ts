/** The schemas that a target accepts: an allow-list, so that a new keyword never breaks a request. */
export interface SchemaDialect {
  /** Every allowed keyword. */
  readonly keywords: ReadonlySet<string>;
  readonly refs: "keep" | "inline";
  readonly constants: "keep" | "enum";
  readonly oneOf: "keep" | "any-of";
  readonly allOf: "keep" | "merge";
  readonly typeArrays: "keep" | "nullable" | "any-of";
  readonly enumValues: "any" | "strings";
  /** Allowed values of `format`; absent: any. */
  readonly stringFormats?: ReadonlySet<string>;
  /** `true`, `false` and `{}` as sub-schemas. */
  readonly booleanSchemas: "keep" | "replace";
  /** Adds `type: "object"` and `properties` at the root if they are missing. */
  readonly objectRoot: boolean;
}

const everyKeyword = [
  "$schema $id $ref $defs $anchor $dynamicRef $dynamicAnchor $comment definitions",
  "type enum const default title description examples format deprecated readOnly writeOnly nullable",
  "properties required additionalProperties patternProperties propertyNames unevaluatedProperties",
  "minProperties maxProperties dependentRequired dependentSchemas dependencies",
  "items prefixItems additionalItems contains minContains maxContains minItems maxItems uniqueItems",
  "unevaluatedItems minimum maximum exclusiveMinimum exclusiveMaximum multipleOf",
  "minLength maxLength pattern contentEncoding contentMediaType contentSchema",
  "allOf anyOf oneOf not if then else",
].join(" ").split(" ");

/** All of JSON Schema, for targets that only require an object at the root. */
export const wholeVocabulary: SchemaDialect = {
  keywords: new Set(everyKeyword),
  refs: "keep",
  constants: "keep",
  oneOf: "keep",
  allOf: "keep",
  typeArrays: "keep",
  enumValues: "any",
  booleanSchemas: "keep",
  objectRoot: true,
};
