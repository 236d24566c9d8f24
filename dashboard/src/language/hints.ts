import { bilingual, type Language } from "./bilingual.ts";

/** The hints of a search, by their codes. */
const hints = bilingual(
  {
    lost_zero: "A KVK number has eight digits. Is the zero at the start missing?",
    rsin_unknown: "No company in this registry has this RSIN. Search by name or KVK number.",
    vat_number_unknown: "No company in this registry has this VAT number. Search by name or KVK number.",
    foreign_vat_number: "This is a VAT number of another country. You can check it under “VAT number”.",
    branch_number: "This is the number of a branch. Search by the name or KVK number of its company.",
    lei: "This is an LEI. Search by name or KVK number.",
    iban: "This is a bank account number. Search by the name or KVK number of its holder.",
    phone_number: "This is a phone number. Search by name or KVK number.",
    email_address: "This is an email address. Search by the name of the company.",
    website: "This is a web address. Search by the name of the company.",
  },
  {
    lost_zero: "Een KVK-nummer heeft acht cijfers. Is de nul aan het begin weggevallen?",
    rsin_unknown: "Geen bedrijf in dit register heeft dit RSIN. Zoek op naam of KVK-nummer.",
    vat_number_unknown: "Geen bedrijf in dit register heeft dit btw-nummer. Zoek op naam of KVK-nummer.",
    foreign_vat_number:
      "Dit is een btw-nummer uit een ander land. Onder ‘Btw-nummer’ kunt u het controleren.",
    branch_number: "Dit is een vestigingsnummer. Zoek op de naam of het KVK-nummer van het bedrijf.",
    lei: "Dit is een LEI. Zoek op naam of KVK-nummer.",
    iban: "Dit is een rekeningnummer. Zoek op de naam of het KVK-nummer van de rekeninghouder.",
    phone_number: "Dit is een telefoonnummer. Zoek op naam of KVK-nummer.",
    email_address: "Dit is een e-mailadres. Zoek op de naam van het bedrijf.",
    website: "Dit is een webadres. Zoek op de naam van het bedrijf.",
  },
);

/** Returns the text of a hint. A newer service may send codes that have no text here. */
export function hintText(
  { code, message }: { readonly code: string; readonly message: string },
  language: Language,
): string {
  const texts: Readonly<Record<string, string>> = hints[language];
  return texts[code] ?? message;
}
