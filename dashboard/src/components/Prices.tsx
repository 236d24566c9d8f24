import { Stack } from "@mantine/core";
import type { Offer } from "../../../src/contract/publicResources.ts";
import { MAX_FOLLOWERS, SESSION_SECONDS } from "../../../src/contract/typingSession.ts";
import { bilingual } from "../language/bilingual.ts";
import { useLanguage, useTexts } from "../language/language.tsx";
import { operations } from "../language/operations.ts";
import { Figures } from "./Figures.tsx";
import { MutedText } from "./MutedText.ts";

const texts = bilingual(
  {
    operation: "Call",
    price: "Tokens",
    special: "Prices of bulk lists and OpenRefine",
    free: (calls: string) => `Free: ${calls}.`,
    typing: `Suggestions as you type: in a session, the first call costs 1 token and up to ${MAX_FOLLOWERS} more within ${SESSION_SECONDS / 60} minutes are free.`,
  },
  {
    operation: "Aanroep",
    price: "Tokens",
    special: "Prijzen van lijsten via de API en OpenRefine",
    free: (calls) => `Gratis: ${calls}.`,
    typing: `Suggesties tijdens het typen: in een sessie kost de eerste aanroep 1 token en zijn er tot ${MAX_FOLLOWERS} binnen ${SESSION_SECONDS / 60} minuten daarna gratis.`,
  },
);

/** Calls of programs that work in a particular way. */
const SPECIAL = /^(?:jobs|reconcile)\b/;

/** The prices that most readers need, those of bulk lists and OpenRefine behind a fold, and the names of free calls. */
export function Prices({ prices }: Pick<Offer, "prices">) {
  const t = useTexts(texts);
  const names = useTexts(operations);
  const { number } = useLanguage().formats;
  const free = prices.filter(({ tokens }) => tokens === 0).map(({ operation }) => names[operation]);
  const table = (isSpecial: boolean) => {
    const shown = prices.filter(
      ({ operation, tokens }) => tokens > 0 && SPECIAL.test(operation) === isSpecial,
    );
    const rows = shown.map(({ operation, tokens }) => [names[operation], number(tokens)]);
    return <Figures head={[t.operation, t.price]} figures={1} rows={rows} />;
  };
  return (
    <Stack gap="sm">
      {table(false)}
      <details className="folded">
        <summary>{t.special}</summary>
        {table(true)}
      </details>
      <MutedText>{t.free(free.join("; "))}</MutedText>
      <MutedText>{t.typing}</MutedText>
    </Stack>
  );
}
