import type { ComponentChildren } from "preact";
import { Icon } from "./Icon.tsx";

export interface FieldProps {
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
