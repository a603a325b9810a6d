import type { JSX } from "preact";
import { useContext } from "preact/hooks";
import { Opens } from "./opens.ts";

/**
 * A form that posts to `action`. Readers whose role may not post it see nothing, or with `isRecord`
 * its fields, disabled: it is the only place that shows a record's values.
 */
export function Form(
  { isRecord = false, ...props }: JSX.FormHTMLAttributes & {
    readonly action: string;
    readonly isRecord?: boolean;
  },
) {
  const opens = useContext(Opens);
  if (opens(props.action, "POST")) return <form {...props} method="post" />;
  if (!isRecord) return null;
  return <fieldset class={`${props.class} read-only`} disabled>{props.children}</fieldset>;
}
