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
    others:
      "In bulk lists and OpenRefine, a company, name or VAT number costs the same. Managing lists, monitors and access tokens, and reading changes and usage are free.",
    typing: `Suggestions as you type: in a session, the first call costs 1 token and up to ${MAX_FOLLOWERS} more within ${SESSION_SECONDS / 60} minutes are free.`,
  },
  {
    operation: "Aanroep",
    price: "Tokens",
    others:
      "In lijsten via de API en in OpenRefine kost een bedrijf, naam of btw-nummer hetzelfde. Lijsten, monitors en toegangstokens beheren, en wijzigingen en verbruik lezen is gratis.",
    typing: `Suggesties tijdens het typen: in een sessie kost de eerste aanroep 1 token en zijn er tot ${MAX_FOLLOWERS} binnen ${SESSION_SECONDS / 60} minuten daarna gratis.`,
  },
);

/** Calls that cost the same as others. */
const OTHERS = /^(?:jobs|reconcile)\b/;

/** The prices that differ, and a sentence about the others. */
export function Prices({ prices }: Pick<Offer, "prices">) {
  const t = useTexts(texts);
  const names = useTexts(operations);
  const { number } = useLanguage().formats;
  const shown = prices.filter(({ operation, tokens }) => tokens > 0 && !OTHERS.test(operation));
  return (
    <Stack gap="sm">
      <Figures
        head={[t.operation, t.price]}
        figures={1}
        rows={shown.map(({ operation, tokens }) => [names[operation], number(tokens)])}
      />
      <MutedText>{t.others}</MutedText>
      <MutedText>{t.typing}</MutedText>
    </Stack>
  );
}
