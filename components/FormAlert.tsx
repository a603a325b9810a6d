import { Icon } from "./Icon.tsx";

/**
 * The error of a form as a whole. It takes the focus: on a new page through `autofocus`, in a
 * dialog through its ref.
 */
export function FormAlert({ children }: { children: string }) {
  return (
    <div
      class="alert"
      role="alert"
      tabIndex={-1}
      autofocus
      ref={(element) => element?.focus()}
    >
      <Icon name="circle-alert" />
      <p>{children}</p>
    </div>
  );
}
