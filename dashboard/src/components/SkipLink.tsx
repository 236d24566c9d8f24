import type { MouseEvent } from "react";
import { bilingual } from "../language/bilingual.ts";
import { useTexts } from "../language/language.tsx";

const texts = bilingual({ skip: ["Skip to the content", "Naar de inhoud"] });

/** The element id of a page's content. */
export const CONTENT = "content";

/** The first element that Tab reaches: a link past the navigation. */
export function SkipLink() {
  const t = useTexts(texts);
  return (
    <a className="skip" href={`#${CONTENT}`} onClick={skip}>
      {t.skip}
    </a>
  );
}

/** Moves the focus without changing the address, which names the screen. */
function skip(event: MouseEvent): void {
  event.preventDefault();
  document.getElementById(CONTENT)?.focus();
}
