/** Days are YYYY-MM-DD. */
export interface SimulatedPublication {
  readonly publishedOn: string;
  readonly code: string;
  readonly text: string;
}

/** Beginnings of the texts of some publications, as the court words them. */
const PHRASES: Readonly<Record<string, string>> = {
  "1300": "uitspraak faillissement",
  "1306": "uitspraak faillissement na beëindiging surseance",
  "1316": "opheffing faillissement wegens gebrek aan baten",
  "1317": "einde faillissement door verbindende uitdelingslijst",
  "1320": "vernietiging faillissement na verzet",
  "1323": "rectificatie",
  "1334": "Faillissement overgedragen aan ander arrondissement",
  "2301": "uitspraak schuldsanering",
  "2331": "einde schuldsanering met uitdeling en met schone lei",
  "3300": "verlening voorlopige surseance",
  "3307": "einde surseance",
  "3313": "Beëindiging door omzetting in faillissement",
};
const DAY = new Intl.DateTimeFormat("nl-NL", { dateStyle: "long", timeZone: "UTC" });

/** A publication with the day of the ruling in its text: `uitspraak faillissement op 3 november 2026`. */
export function publication(code: string, publishedOn: string, ruledOn = publishedOn): SimulatedPublication {
  const text = `${PHRASES[code] ?? "publicatie"} op ${DAY.format(Date.parse(ruledOn))}`;
  return { code, publishedOn, text };
}
