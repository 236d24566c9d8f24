import type { Language } from "./bilingual.ts";

/** The hints of a search in Dutch, by their codes. */
const DUTCH: Readonly<Record<string, string>> = {
  lost_zero: "Een KVK-nummer heeft acht cijfers. Is de nul aan het begin weggevallen?",
  rsin_unknown: "Geen bedrijf in dit register heeft dit RSIN. Zoek op naam of KVK-nummer.",
  vat_number_unknown: "Geen bedrijf in dit register heeft dit btw-nummer. Zoek op naam of KVK-nummer.",
  foreign_vat_number: "Dit is een btw-nummer uit een ander land. Onder ‘Btw-nummer’ kunt u het controleren.",
  branch_number: "Dit is een vestigingsnummer. Zoek op de naam of het KVK-nummer van het bedrijf.",
  lei: "Geen bedrijf met deze LEI gevonden. Zoek op naam of KVK-nummer.",
  iban: "Dit is een rekeningnummer. Zoek op de naam of het KVK-nummer van de rekeninghouder.",
  phone_number: "Dit is een telefoonnummer. Zoek op naam of KVK-nummer.",
  email_address: "Dit is een e-mailadres. Zoek op de naam van het bedrijf.",
  website: "Dit is een webadres. Zoek op de naam van het bedrijf.",
};

/** Returns the text of a hint. A newer service may send codes that have no text here. */
export function hintText(hint: { readonly code: string; readonly message: string }, language: Language) {
  return (language === "nl" ? DUTCH[hint.code] : undefined) ?? hint.message;
}
