import { useEffect, useRef, useState } from "preact/hooks";

interface Asked {
  readonly link: HTMLAnchorElement;
  readonly title: string;
  readonly confirm: string;
}

/**
 * Confirms the deletion of a key in a dialog instead of on a page: every link with `data-delete-
 * title` opens it.
 */
export default function DeleteKey({ text, cancel }: { text: string; cancel: string }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [asked, ask] = useState<Asked | undefined>();
  useEffect(() => {
    const onClick = (event: MouseEvent) => {
      const link = linkAt(event);
      if (link === undefined) return;
      event.preventDefault();
      ask({
        link,
        title: link.dataset.deleteTitle ?? "",
        confirm: link.dataset.deleteConfirm ?? "",
      });
      dialog.current?.showModal();
    };
    document.addEventListener("click", onClick);
    return () => document.removeEventListener("click", onClick);
  }, []);
  return (
    <dialog
      class="dialog"
      ref={dialog}
      aria-labelledby="delete-title"
      onClose={() => asked && openerOf(asked.link)?.focus()}
    >
      <form class="inside" method="post" action={asked?.link.getAttribute("href") ?? undefined}>
        <h2 id="delete-title">{asked?.title}</h2>
        <p>{text}</p>
        <div class="actions">
          <button class="button" type="button" onClick={() => dialog.current?.close()}>
            {cancel}
          </button>
          <button class="button danger" type="submit">{asked?.confirm}</button>
        </div>
      </form>
    </dialog>
  );
}

/** The link of a plain click. A click with a modifier key opens the page as usual. */
function linkAt(event: MouseEvent): HTMLAnchorElement | undefined {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return undefined;
  const target = event.target instanceof Element ? event.target : null;
  return target?.closest<HTMLAnchorElement>("a[data-delete-title]") ?? undefined;
}

/** The menu that holds the link has closed by now, so the focus returns to the menu's button. */
function openerOf(link: HTMLAnchorElement): HTMLElement | null {
  const menu = link.closest("[popover]");
  return menu && document.querySelector<HTMLElement>(`[popovertarget="${menu.id}"]`);
}
