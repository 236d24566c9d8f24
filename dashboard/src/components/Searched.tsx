import { readStatus } from "../api/account.ts";
import { bilingual } from "../language/bilingual.ts";
import { useLanguage, useTexts } from "../language/language.tsx";
import { sourceName } from "../language/sources.ts";
import { useQuery } from "../queries/useQuery.ts";
import { MutedText } from "./MutedText.ts";

const texts = bilingual({
  searched: (companies: string, sources: string) => [
    `Searched: ${companies} companies (${sources}).`,
    `Doorzocht: ${companies} bedrijven (${sources}).`,
  ],
});

/** How many companies of which sources this service searches, for a search that finds nothing. */
export function Searched() {
  const t = useTexts(texts);
  const { language, formats } = useLanguage();
  const registry = useQuery(readStatus).value?.registry;
  if (registry === undefined) return null;
  const { companies, sources } = registry;
  const named = sources.map(({ source, companies: count }) => {
    const name = sourceName(source, language);
    return sources.length === 1 ? name : `${name}: ${formats.number(count)}`;
  });
  return <MutedText size="xs">{t.searched(formats.number(companies), named.join(", "))}</MutedText>;
}
