import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from "react";
import type { Bilingual, Language, Phrases } from "./bilingual.ts";
import { type Formats, formatsOf } from "./formats.ts";
import { unbrokenPhrases } from "./unbroken.ts";

interface Speaking {
  readonly language: Language;
  readonly setLanguage: (language: Language) => void;
  readonly formats: Formats;
}

const Context = createContext<Speaking | undefined>(undefined);
const REMEMBERED = "opzoek.language";

/** Speaks the language that was chosen before, else the one that the browser asks for. */
export function LanguageProvider({ children }: { readonly children: ReactNode }) {
  const [language, setLanguage] = useState<Language>(firstLanguage);
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  const speaking = useMemo(
    () => ({
      language,
      formats: formatsOf(language),
      setLanguage: (chosen: Language) => {
        remember(chosen);
        setLanguage(chosen);
      },
    }),
    [language],
  );
  return <Context value={speaking}>{children}</Context>;
}

/** The language of the page, its formats, and how to choose the other. */
export function useLanguage(): Speaking {
  const speaking = useContext(Context);
  if (speaking === undefined) throw new Error("wrap the page in LanguageProvider");
  return speaking;
}

/** The texts of a screen in the language that is spoken. */
export function useTexts<T>(texts: Bilingual<T>): Bilingual<T>[Language] {
  const spoken = texts[useLanguage().language];
  return unbrokenPhrases(spoken as Phrases) as typeof spoken;
}

function firstLanguage(): Language {
  const remembered = recall();
  if (remembered === "en" || remembered === "nl") return remembered;
  const wished = navigator.languages.find((tag) => /^(en|nl)\b/i.test(tag));
  return wished?.toLowerCase().startsWith("nl") ? "nl" : "en";
}

// A browser may refuse to keep anything; the choice then lasts as long as the page.
function recall(): string | null {
  try {
    return localStorage.getItem(REMEMBERED);
  } catch {
    return null;
  }
}

function remember(language: Language): void {
  try {
    localStorage.setItem(REMEMBERED, language);
  } catch {}
}
