import { useLocalStorage } from "@mantine/hooks";
import { createContext, type ReactNode, useContext, useEffect, useMemo } from "react";
import type { Bilingual, Language, Texts } from "./bilingual.ts";
import { type Formats, formatsOf } from "./formats.ts";
import { nonBreakingTexts } from "./nonBreaking.ts";

interface LanguageContext {
  readonly language: Language;
  readonly setLanguage: (language: Language) => void;
  readonly formats: Formats;
}

const Context = createContext<LanguageContext | undefined>(undefined);

/** Provides the language that was chosen before, otherwise the browser's. */
export function LanguageProvider({ children }: { readonly children: ReactNode }) {
  const [chosen, setLanguage] = useLocalStorage<Language | undefined>({
    key: "opzoek.language",
    getInitialValueInEffect: false,
    serialize: String,
    deserialize: (text) => (text === "en" || text === "nl" ? text : undefined),
  });
  const language = chosen ?? browserLanguage();
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  const value = useMemo(
    () => ({ language, formats: formatsOf(language), setLanguage }),
    [language, setLanguage],
  );
  return <Context value={value}>{children}</Context>;
}

/** Returns the language of the page, its formats, and its setter. */
export function useLanguage(): LanguageContext {
  const value = useContext(Context);
  if (value === undefined) throw new Error("wrap the page in LanguageProvider");
  return value;
}

/** Returns the texts of a screen in the language of the page. */
export function useTexts<T>(texts: Bilingual<T>): Bilingual<T>[Language] {
  const chosen = texts[useLanguage().language];
  return nonBreakingTexts(chosen as Texts) as typeof chosen;
}

function browserLanguage(): Language {
  const preferred = navigator.languages.find((tag) => /^(en|nl)\b/i.test(tag));
  return preferred?.toLowerCase().startsWith("nl") ? "nl" : "en";
}
