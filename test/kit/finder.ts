import type { CompanyFacts, FactsAddress } from "../../src/company/facts.ts";

const at = (city: string, postalCode: string, more: Partial<FactsAddress> = {}): Partial<CompanyFacts> => ({
  address: {
    kind: "visiting",
    street: "Dorpsstraat",
    houseNumber: "1",
    postalCode,
    city,
    country: "NL",
    ...more,
  },
});
const activity = (sbiCode: string) => ({ sbiCode, isMain: true });

/** The companies of the search tests, by number. */
export const COMPANIES: readonly Partial<CompanyFacts>[] = [
  { name: "Niemand" },
  {
    name: "Bakkerij Jansen B.V.",
    legalForm: "BV",
    ...at("Utrecht", "3511 AB"),
    activities: [activity("10711")],
  },
  {
    name: "Bakkerij Jansen en Zonen",
    ...at("Utrecht", "3512 AB"),
    activities: [activity("10712"), { ...activity("4724"), sbiVersion: "2008" }],
  },
  { name: "Jansen Bakkerij Groothandel B.V.", legalForm: "BV", ...at("Zeist", "3701 AA") },
  { name: "Jans B.V.", isActive: false, ...at("Zeist", "3701 AA") },
  {
    name: "De Gouden Korenaar",
    tradingNames: ["Korenaar Catering", "Banket Express"],
    ...at("Zeist", "3702 ZZ"),
  },
  { name: "'t Hoekje", ...at("'s-Gravenhage", "2511 CV") },
  {
    name: "Meijer & Zn",
    ...at("IJsselstein", "3401 AA"),
    activities: [{ ...activity("47110"), sbiVersion: "2025" }],
  },
  { name: "Meyer en Zoon", ...at("Ijsselstein", "3401 AB") },
  { name: "E-Commerce Advies", ...at("Amsterdam", "1012 AB") },
  { name: "24/7 Security", ...at("Amsterdam", "1012 AC") },
  { name: "Verborgen Zaak", ...at("Amsterdam", "1012 AD", { isShielded: true }) },
  { name: "Holding Berg B.V.", employees: { total: 500 } },
  { name: "Holding Boom B.V.", employees: { total: 1 } },
  { name: "Holding Bomen en Bergen B.V." },
  { name: "Oud Holding Berg B.V.", isActive: false },
  { name: "Stichting Holding", legalForm: "STI" },
  { name: "Holding", isActive: false },
  { name: "Voorbeeld One", statutoryName: "Statutair Anders B.V." },
  { name: "Dubbel Voorbeeld", tradingNames: ["Dubbel Voorbeeld B.V.", "Dubbel Voorbeeld Winkel"] },
  { name: "†", ...at("Zeist", "3701 AB") },
];
