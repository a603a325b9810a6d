import { useState } from "preact/hooks";

const themes = ["light", "dark", "system"] as const;
type Theme = typeof themes[number];

/** Light, dark or system. A form; with a script, the page does not reload. */
export default function ThemeSwitch(
  { theme, texts, back }: {
    theme: Theme;
    texts: Readonly<Record<Theme | "label", string>>;
    back: string;
  },
) {
  const [chosen, choose] = useState(theme);
  const pick = async (event: Event, one: Theme) => {
    event.preventDefault();
    show(one);
    choose(one);
    await fetch("/preferences", {
      method: "POST",
      body: new URLSearchParams({ theme: one, back }),
    });
  };
  return (
    <form method="post" action="/preferences">
      <input type="hidden" name="back" value={back} />
      <div class="segments" role="group" aria-label={texts.label}>
        {themes.map((one) => (
          <button
            type="submit"
            name="theme"
            value={one}
            aria-pressed={one === chosen ? "true" : "false"}
            onClick={(event) => pick(event, one)}
          >
            {texts[one]}
          </button>
        ))}
      </div>
    </form>
  );
}

function show(theme: Theme): void {
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}
