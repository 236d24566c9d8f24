import { mapBasisprofiel } from "../../src/kvk/map.ts";

/** A profile with everything that KVK sends about a company with branches; tests change the parts they need. */
export const profile = {
  kvkNummer: "50000012",
  indNonMailing: "Ja",
  naam: "Bakkerij De Gouden Korenaar B.V.",
  formeleRegistratiedatum: "20110314",
  materieleRegistratie: { datumAanvang: "20110101" },
  totaalWerkzamePersonen: 12,
  statutaireNaam: "Bakkerij De Gouden Korenaar B.V.",
  handelsnamen: [
    { naam: "Korenaar Catering", volgorde: 1 },
    { naam: "Bakkerij De Gouden Korenaar", volgorde: 0 },
  ],
  sbiActiviteiten: [
    { sbiCode: "01241", sbiOmschrijving: "Teelt van appels en peren", indHoofdactiviteit: "Nee" },
    { sbiCode: "1071", sbiOmschrijving: "Vervaardiging van brood", indHoofdactiviteit: "Ja" },
  ],
  links: [{ rel: "self" }, { rel: "vestigingen" }],
  _embedded: {
    hoofdvestiging: {
      vestigingsnummer: "000050000012",
      kvkNummer: "50000012",
      eersteHandelsnaam: "Bakkerij De Gouden Korenaar",
      indHoofdvestiging: "Ja",
      adressen: [
        {
          type: "correspondentieadres",
          indAfgeschermd: "Nee",
          volledigAdres: "Postbus 200                         1000AE Rommeldam",
          straatnaam: "Postbus",
          postbusnummer: 200,
          postcode: "1000AE",
          plaats: "Rommeldam",
          land: "Nederland",
        },
        {
          type: "bezoekadres",
          indAfgeschermd: "Nee",
          volledigAdres: "Korenmolenlaan 17 M                         1034WL Rommeldam",
          straatnaam: "Korenmolenlaan",
          huisnummer: 17,
          huisletter: "M",
          postcode: "1034WL",
          plaats: "Rommeldam",
          land: "Nederland",
        },
      ],
      websites: ["www.korenaar.example", ""],
    },
    eigenaar: {
      rsin: "123456782",
      rechtsvorm: "BeslotenVennootschap",
      uitgebreideRechtsvorm: "Besloten vennootschap met gewone structuur",
    },
  },
};

export const visiting = profile._embedded.hoofdvestiging.adressen[1];

/** The profile with these addresses of its main branch. */
export function withAddress(...adressen: object[]) {
  const hoofdvestiging = { ...profile._embedded.hoofdvestiging, adressen };
  return { ...profile, _embedded: { ...profile._embedded, hoofdvestiging } };
}

/** The facts of a profile that must be accepted. */
export function factsOf(value: unknown, vestigingen?: unknown) {
  const mapped = mapBasisprofiel(value, vestigingen);
  if ("reason" in mapped) throw new Error(mapped.reason);
  return mapped.facts;
}

/** The reasons for its omitted parts. */
export function leftOutOf(value: unknown, vestigingen?: unknown) {
  const mapped = mapBasisprofiel(value, vestigingen);
  return "reason" in mapped ? [mapped.reason] : mapped.leftOut.map(({ reason }) => reason);
}
