import { Stack } from "@mantine/core";
import { PRICE_LIST, PRICES, type PricedThing } from "../../../src/contract/prices.ts";
import { MAX_FOLLOWERS, SESSION_SECONDS } from "../../../src/contract/typingSession.ts";
import { bilingual } from "../language/bilingual.ts";
import { useLanguage, useTexts } from "../language/language.tsx";
import { pricedThings } from "../language/operations.ts";
import { Facts } from "./Facts.tsx";
import { Figures } from "./Figures.tsx";
import { MutedText } from "./MutedText.ts";

const texts = bilingual({
  want: ["What you want", "Wat u wilt"],
  price: ["Tokens", "Tokens"],
  same: [
    "Everywhere the same: on this page, from your own program, per row of a list, and in OpenRefine.",
    "Overal hetzelfde: op deze pagina, vanuit uw eigen programma, per rij van een lijst en in OpenRefine.",
  ],
  typing: [
    `Finding one company as you type costs 1 token for up to ${MAX_FOLLOWERS + 1} calls within ${SESSION_SECONDS / 60} minutes. An enriched lookup that adds nothing costs 1.`,
    `Eén bedrijf vinden tijdens het typen kost 1 token voor maximaal ${MAX_FOLLOWERS + 1} aanroepen binnen ${SESSION_SECONDS / 60} minuten. Uitgebreid opzoeken dat niets toevoegt, kost 1.`,
  ],
  paid: ["Charged too", "Ook betaald"],
  paidFor: [
    "A search or suggestions without a result, a name that matches no company, and a VAT number that isn’t valid or can’t exist.",
    "Zoeken of suggesties zonder resultaat, een naam waar geen bedrijf bij past, en een btw-nummer dat ongeldig is of niet kan bestaan.",
  ],
  free: ["Free", "Gratis"],
  freeFor: [
    "Errors, outages, refused calls, unknown KVK numbers and skipped rows. Keeping lists, monitors and keys, and reading changes and usage.",
    "Fouten, storingen, geweigerde aanroepen, onbekende KVK-nummers en overgeslagen rijen. Lijsten, monitoring en sleutels beheren, en wijzigingen en verbruik lezen.",
  ],
});

const THINGS = Object.keys(PRICE_LIST) as readonly PricedThing[];

/** The price list: a row for each thing to want, and what is charged or free besides. */
export function Prices() {
  const t = useTexts(texts);
  const things = useTexts(pricedThings);
  const { number } = useLanguage().formats;
  return (
    <Stack gap="sm">
      <Figures
        head={[t.want, t.price]}
        figures={1}
        rows={THINGS.map((thing) => [things[thing], number(PRICES[thing])])}
      />
      <MutedText>{t.same}</MutedText>
      <MutedText>{t.typing}</MutedText>
      <Facts
        facts={[
          [t.paid, t.paidFor],
          [t.free, t.freeFor],
        ]}
      />
    </Stack>
  );
}
