import type { ComponentChildren, ComponentProps } from "preact";
import { Options } from "./Choice.tsx";
import { Icon } from "./Icon.tsx";

interface FieldProps {
  readonly id: string;
  readonly label: string;
  /** Shown beside the label of an optional field. */
  readonly optional?: string;
  readonly hint?: string;
  readonly fault?: string;
  readonly children: ComponentChildren;
}

/** A label with its control, a hint and an error. The control takes `described(props)`. */
export function Field({ id, label, optional, hint, fault, children }: FieldProps) {
  return (
    <div class="field">
      <label for={id}>
        {label}
        {optional && <span class="optional">{` (${optional})`}</span>}
      </label>
      {children}
      {hint && <p class="hint" id={`${id}-hint`}>{hint}</p>}
      {fault && <Fault id={id}>{fault}</Fault>}
    </div>
  );
}

/** A control with its label. Further attributes go to the control. */
type Labelled<Control extends "input" | "textarea" | "select"> =
  & Omit<FieldProps, "id" | "children">
  & Omit<ComponentProps<Control>, "label">
  & { readonly name: string; readonly id?: string };

/** A field of one line. */
export function TextField({ label, optional, hint, fault, ...input }: Labelled<"input">) {
  const about = { id: input.id ?? input.name, hint, fault };
  return (
    <Field {...about} label={label} optional={optional}>
      <input class="input" autocomplete="off" {...input} {...described(about)} />
    </Field>
  );
}

/** A field of several lines. */
export function TextArea({ label, optional, hint, fault, ...area }: Labelled<"textarea">) {
  const about = { id: area.id ?? area.name, hint, fault };
  return (
    <Field {...about} label={label} optional={optional}>
      <textarea class="input" {...area} {...described(about)} />
    </Field>
  );
}

/** A choice of one of several values. */
export function SelectField(
  { label, hint, fault, value, options, ...select }:
    & Omit<Labelled<"select">, "value">
    & ComponentProps<typeof Options>,
) {
  const about = { id: select.id ?? select.name, hint, fault };
  return (
    <Field {...about} label={label}>
      <select class="input" {...select} {...described(about)}>
        <Options value={value} options={options} />
      </select>
    </Field>
  );
}

/** Returns the name, the value and the error of each field of a form. */
export function fieldsOf<Values extends object>(
  values: Values,
  faults: { readonly [Name in keyof Values]?: string },
) {
  return <Name extends keyof Values & string>(name: Name) => ({
    name,
    value: values[name],
    fault: faults[name],
  });
}

export function Fault({ id, children }: { id: string; children: string }) {
  return (
    <p class="fault" id={`${id}-fault`}>
      <Icon name="circle-alert" small />
      {children}
    </p>
  );
}

/** The attributes that link a control to its hint and its error. */
export function described(
  { id, hint, fault }: { id: string; hint?: unknown; fault?: unknown },
): { id: string; "aria-describedby"?: string; "aria-invalid"?: "true" } {
  const names = [hint && `${id}-hint`, fault && `${id}-fault`].filter((name) => name);
  return {
    id,
    ...(names.length > 0 && { "aria-describedby": names.join(" ") }),
    ...(fault ? { "aria-invalid": "true" } : {}),
  };
}
