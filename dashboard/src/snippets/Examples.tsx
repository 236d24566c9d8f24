import "./examples.css";
import { Button, Tabs } from "@mantine/core";
import { useClipboard, useLocalStorage } from "@mantine/hooks";
import { Icon } from "../components/Icon.tsx";
import { bilingual } from "../language/bilingual.ts";
import { useTexts } from "../language/language.tsx";
import { SNIPPET_LANGUAGES, type SnippetLanguage } from "./snippets.ts";

const texts = bilingual({
  language: ["Language of the examples", "Taal van de voorbeelden"],
  copy: ["Copy", "Kopiëren"],
  copied: ["Copied", "Gekopieerd"],
  byHand: ["Copy manually", "Handmatig kopiëren"],
});

const NAMES: Readonly<Record<SnippetLanguage, string>> = {
  curl: "curl",
  javascript: "JavaScript",
  python: "Python",
  php: "PHP",
  csharp: "C#",
};

/** The same example in several programming languages, in tabs. */
export function Examples({ of }: { readonly of: (language: SnippetLanguage) => string }) {
  const t = useTexts(texts);
  // One choice for all examples, stored for the next visit.
  const [chosen = "curl", choose] = useLocalStorage<SnippetLanguage | undefined>({
    key: "opzoek.examples",
    getInitialValueInEffect: false,
    serialize: String,
    deserialize: languageNamed,
  });
  const clipboard = useClipboard({ timeout: 2_000 });
  const label = clipboard.error ? t.byHand : clipboard.copied ? t.copied : t.copy;
  return (
    <Tabs value={chosen} onChange={(value) => choose(languageNamed(value))} className="examples">
      <div className="examples-head">
        <Tabs.List aria-label={t.language}>
          {SNIPPET_LANGUAGES.map((language) => (
            <Tabs.Tab key={language} value={language}>
              {NAMES[language]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Button
          size="compact-sm"
          variant="subtle"
          leftSection={<Icon name={clipboard.copied ? "check" : "copy"} size={16} />}
          onClick={() => clipboard.copy(of(chosen))}
        >
          <span aria-live="polite">{label}</span>
        </Button>
      </div>
      {SNIPPET_LANGUAGES.map((language) => (
        // Focusable, so that the keyboard can scroll it.
        <Tabs.Panel key={language} value={language} tabIndex={0} className="example">
          <pre>{of(language)}</pre>
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}

function languageNamed(name: string | null | undefined): SnippetLanguage | undefined {
  return SNIPPET_LANGUAGES.find((language) => language === name);
}
