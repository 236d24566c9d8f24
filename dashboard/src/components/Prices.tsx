import type { Offer } from "../../../src/contract/publicResources.ts";
import { bilingual } from "../language/bilingual.ts";
import { useLanguage, useTexts } from "../language/language.tsx";
import { operations } from "../language/operations.ts";
import { Figures } from "./Figures.tsx";

const texts = bilingual({ operation: "Call", price: "Tokens" }, { operation: "Aanroep", price: "Tokens" });

/** What each operation costs. */
export function Prices({ prices }: Pick<Offer, "prices">) {
  const t = useTexts(texts);
  const names = useTexts(operations);
  const { number } = useLanguage().formats;
  return (
    <Figures
      head={[t.operation, t.price]}
      figures={1}
      rows={prices.map(({ operation, tokens }) => [names[operation], number(tokens)])}
    />
  );
}
