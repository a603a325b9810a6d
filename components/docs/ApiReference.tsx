import { lexer } from "marked";
import type { DocsView } from "../../lib/console/docs/docs_view.ts";
import {
  type ApiGroup,
  apiParts,
  curlOf,
  exampleText,
  fieldOf,
  highlight,
  type ReferenceField,
  referenceFields,
  type ReferenceOperation,
} from "../../lib/docs/mod.ts";
import { A } from "../A.tsx";
import { Snippet } from "../Snippet.tsx";
import { untranslated } from "../untranslated.ts";
import { Inline } from "./DocArticle.tsx";
import { apiHref } from "./DocsLayout.tsx";

/** The home page of the API reference: all operations by group. */
export function ApiHome({ docs, groups }: { docs: DocsView; groups: readonly ApiGroup[] }) {
  const { docs: { api }, apiReference } = docs.view.catalog;
  return (
    <article class="doc-text home">
      <h1>{apiReference}</h1>
      <p class="lead">{api.lead}</p>
      <p class="actions start">
        <A class="button primary" href="/openapi.json">openapi.json</A>
        <A class="button" href="/docs/reference/errors">{api.errors}</A>
      </p>
      {apiParts.map((part) => (
        <section key={part}>
          <h2>{api.parts[part]}</h2>
          {groups.filter((group) => group.part === part).map((group) => (
            <section key={group.slug} lang="en">
              <h3>
                <A class="anchor" href={apiHref(group)}>{group.title}</A>
              </h3>
              <Operations group={group} />
            </section>
          ))}
        </section>
      ))}
    </article>
  );
}

function Operations({ group }: { group: ApiGroup }) {
  return (
    <ul class="operations">
      {group.operations.map(({ id, method, path, described }) => (
        <li key={id}>
          <A href={apiHref(group, id)}>
            <Address method={method} path={path} />
            <span>{described.summary}</span>
          </A>
        </li>
      ))}
    </ul>
  );
}

function Address({ method, path }: Pick<ReferenceOperation, "method" | "path">) {
  return (
    <code class="address" {...untranslated}>
      {method && <b class={method.toLowerCase()}>{method}</b>} {path}
    </code>
  );
}

/** A page of the API reference: the operations of one group. */
export function ApiGroupPage({ docs, group }: { docs: DocsView; group: ApiGroup }) {
  const { api } = docs.view.catalog.docs;
  return (
    <article class="doc-text api">
      <p class="crumb">{api.parts[group.part]}</p>
      <h1 lang="en">{group.title}</h1>
      <Prose text={group.text} />
      {group.operations.map((operation) => (
        <Operation key={operation.id} docs={docs} operation={operation} />
      ))}
    </article>
  );
}

interface OperationProps {
  readonly docs: DocsView;
  readonly operation: ReferenceOperation;
}

function Operation({ docs, operation }: OperationProps) {
  const { id, method, path, aliases, described: { summary, description = "" } } = operation;
  const { api } = docs.view.catalog.docs;
  return (
    <section class="operation" id={id}>
      <header>
        <h2 lang="en">
          <a class="anchor" href={`#${id}`}>{summary}</a>
        </h2>
        <p>
          <Address method={method} path={path} />
        </p>
        {aliases.length > 0 && (
          <p class="aliases">{api.also} {aliases.map((path) => <code key={path}>{path}</code>)}</p>
        )}
        <Prose text={description} />
      </header>
      <Examples docs={docs} operation={operation} />
      <Details docs={docs} operation={operation} />
    </section>
  );
}

function Details({ docs, operation: { described } }: OperationProps) {
  const { api } = docs.view.catalog.docs;
  const { responses } = described;
  const [successes, errors] = responsesOf(described);
  return (
    <div class="details">
      {sentFields(described, api).map(({ title, fields }) => (
        <Fields key={title} docs={docs} title={title} fields={fields} />
      ))}
      {successes.map((status) => (
        <>
          <h3>{api.response(status)}</h3>
          <Prose text={responses[status]?.description ?? ""} />
          <FieldList docs={docs} fields={referenceFields(jsonOf(responses[status]) ?? {})} />
        </>
      ))}
      {errors.length > 0 && <Errors docs={docs} statuses={errors} responses={responses} />}
    </div>
  );
}

/** The parameters by their place, and the body in its first form. */
function sentFields(
  { parameters = [], requestBody }: ReferenceOperation["described"],
  { places, body }: DocsView["view"]["catalog"]["docs"]["api"],
) {
  const content = Object.entries(requestBody?.content ?? {});
  const forms = content.map(([type]) => type).filter((type) => type !== "application/json");
  return [
    ...(["path", "query", "header"] as const).map((place) => ({
      title: places[place],
      fields: parameters.filter((one) => one.in === place).map(fieldOf),
    })),
    ...content.slice(0, 1).map(([, { schema }]) => ({
      title: [body, ...forms].join(", "),
      fields: referenceFields(schema),
    })),
  ];
}

type Responses = ReferenceOperation["described"]["responses"];

/** The statuses of success, and those of errors. */
function responsesOf({ responses }: Pick<ReferenceOperation["described"], "responses">) {
  const isError = (status: string) => /^[45]\d\d$|^[45]XX$/.test(status);
  const statuses = Object.keys(responses);
  return [statuses.filter((one) => !isError(one)), statuses.filter(isError)] as const;
}

function jsonOf(response: Responses[string] | undefined) {
  return response?.content?.["application/json"]?.schema;
}

function Fields(
  { docs, title, fields }: { docs: DocsView; title: string; fields: readonly ReferenceField[] },
) {
  if (fields.length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      <FieldList docs={docs} fields={fields} isSent />
    </>
  );
}

interface FieldProps {
  readonly docs: DocsView;
  /** True for fields that the reader sends, which may be required. */
  readonly isSent?: boolean;
}

function FieldList(
  { fields, ...props }: FieldProps & { fields: readonly ReferenceField[] },
) {
  if (fields.length === 0) return null;
  return (
    <ul class="schema">
      {fields.map((field) => <Field key={field.name} field={field} {...props} />)}
    </ul>
  );
}

function Field({ field, ...props }: FieldProps & { field: ReferenceField }) {
  const { api } = props.docs.view.catalog.docs;
  const { name, type, isRequired, text, bounds, fields } = field;
  return (
    <li>
      <p>
        <b {...untranslated}>{name}</b> <span lang="en">{type}</span>{" "}
        {props.isSent && isRequired && <em>{api.required}</em>}
      </p>
      <Prose text={text} />
      <Values values={field.values} title={api.values} />
      <Prose text={bounds.join(", ")} />
      {fields.length > 0 && (
        <details>
          <summary>{api.fields(fields.length)}</summary>
          <FieldList fields={fields} {...props} />
        </details>
      )}
    </li>
  );
}

function Values({ values, title }: { values: ReferenceField["values"]; title: string }) {
  if (values.length === 0) return null;
  return (
    <p>
      {values.length > 1 && title}{" "}
      {values.map((value) => <code key={value} {...untranslated}>{value}</code>)}
    </p>
  );
}

function Errors(
  { docs, statuses, responses }: {
    docs: DocsView;
    statuses: readonly string[];
    responses: Responses;
  },
) {
  return (
    <details class="errors">
      <summary>{docs.view.catalog.docs.api.errors}</summary>
      <dl>
        {statuses.map((status) => (
          <>
            <dt>{status}</dt>
            <dd>
              <Prose text={responses[status]?.description ?? ""} />
            </dd>
          </>
        ))}
      </dl>
    </details>
  );
}

/** A call as a command, or the body of an event; and the body of each response. */
function Examples({ docs, operation: { id, method, path, described } }: OperationProps) {
  const { copy, docs: { api } } = docs.view.catalog;
  const body = described.requestBody?.content["application/json"]?.schema ?? {};
  const bodies = responsesOf(described)[0].flatMap((status) => {
    const schema = jsonOf(described.responses[status]);
    return schema
      ? [{ title: api.response(status), text: exampleText(schema), language: "json" }]
      : [];
  });
  const request = method
    ? { title: api.request, text: curlOf(method, path, described), language: "sh" }
    : { title: api.request, text: exampleText(body), language: "json" };
  return (
    <div class="examples">
      {[request, ...bodies].map(({ title, text, language }) => (
        <>
          <p>{title}</p>
          <Snippet
            text={text}
            html={highlight(text, language)}
            label={`${title}: ${id}`}
            copy={api.copy(`${title}: ${path}`)}
            texts={copy}
          />
        </>
      ))}
    </div>
  );
}

/** The paragraphs of a Markdown text of the description, which is in English. */
function Prose({ text }: { text: string }) {
  return (
    <>
      {lexer(text).map((token) =>
        token.type === "paragraph"
          ? (
            <p lang="en">
              <Inline tokens={token.tokens} slug="reference/errors" />
            </p>
          )
          : null
      )}
    </>
  );
}
