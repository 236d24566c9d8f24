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
    typing: `Suggestions as you type: in a session, the first call costs 1 token and up to ${MAX_FOLLOWERS} more within ${SESSION_SECONDS / 60} minutes are free.`,
  },
  {
    operation: "Aanroep",
    price: "Tokens",
    typing: `Suggesties tijdens het typen: in een sessie kost de eerste aanroep 1 token en zijn er tot ${MAX_FOLLOWERS} binnen ${SESSION_SECONDS / 60} minuten daarna gratis.`,
  },
);

export function Prices({ prices }: Pick<Offer, "prices">) {
  const t = useTexts(texts);
  const names = useTexts(operations);
  const { number } = useLanguage().formats;
  return (
    <Stack gap="sm">
      <Figures
        head={[t.operation, t.price]}
        figures={1}
        rows={prices.map(({ operation, tokens }) => [names[operation], number(tokens)])}
      />
      <MutedText>{t.typing}</MutedText>
    </Stack>
  );
}
