import { createContext, type ReactNode, useContext, useMemo, useState } from "react";
import { SNIPPET_LANGUAGES, type SnippetLanguage } from "./snippets.ts";

interface Chosen {
  readonly chosen: SnippetLanguage;
  readonly choose: (language: SnippetLanguage) => void;
}

const Context = createContext<Chosen | undefined>(undefined);
const REMEMBERED = "opzoek.examples";

/** The programming language of all examples: chosen once, kept for the next visit. */
export function ExamplesLanguageProvider({ children }: { readonly children: ReactNode }) {
  const [chosen, setChosen] = useState(recall);
  const value = useMemo(
    () => ({
      chosen,
      choose: (language: SnippetLanguage) => {
        remember(language);
        setChosen(language);
      },
    }),
    [chosen],
  );
  return <Context value={value}>{children}</Context>;
}

/** Which language examples are in, and how to choose another. */
export function useExamplesLanguage(): Chosen {
  const value = useContext(Context);
  if (value === undefined) throw new Error("wrap the page in ExamplesLanguageProvider");
  return value;
}

// A browser may refuse to keep anything; the choice then lasts as long as the page.
function recall(): SnippetLanguage {
  try {
    const held = localStorage.getItem(REMEMBERED);
    return SNIPPET_LANGUAGES.find((language) => language === held) ?? "curl";
  } catch {
    return "curl";
  }
}

function remember(language: SnippetLanguage): void {
  try {
    localStorage.setItem(REMEMBERED, language);
  } catch {}
}
