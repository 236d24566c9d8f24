import { bilingual } from "../../language/bilingual.ts";

export const texts = bilingual({
  title: ["The Dutch company registry, one call away", "Het Nederlandse handelsregister, in één API"],
  about: [
    "Find companies as people type, look them up by KVK number, and check VAT numbers with the EU: one HTTP API, plain JSON.",
    "Vind bedrijven tijdens het typen, zoek ze op met hun KVK-nummer en controleer btw-nummers bij de EU: één HTTP-API, gewone JSON.",
  ],
  signUp: ["Create account", "Account aanmaken"],
  signIn: ["Sign in", "Inloggen"],
  searchAbout: [
    "Try it without an account: type a name, a KVK number or a VAT number. Twenty searches a minute.",
    "Probeer het zonder account: typ een naam, een KVK-nummer of een btw-nummer. Twintig zoekopdrachten per minuut.",
  ],
  none: [
    "No company found. Check the spelling, try fewer letters, or type the full KVK number or a VAT number.",
    "Geen bedrijf gevonden. Controleer de spelling, probeer minder letters of typ het volledige KVK-nummer of een btw-nummer.",
  ],
  name: ["Name", "Naam"],
  city: ["City", "Plaats"],
  number: ["KVK number", "KVK-nummer"],
  alsoKnownAs: ["Also known as", "Ook bekend als"],
  fuzzy: ["No exact match. Did you mean:", "Geen exacte treffer. Bedoelde u:"],
  noNumber: [
    "The registry of this service has no company with this number. Check the digits, or search by name.",
    "Het register van deze dienst heeft geen bedrijf met dit nummer. Controleer de cijfers of typ de naam.",
  ],
  vat: [
    "A VAT number is checked with VIES, the EU’s register. That requires a key: each check costs 1 token.",
    "Een btw-nummer controleren we bij VIES, het register van de EU. Daarvoor is een sleutel nodig: elke controle kost 1 token.",
  ],
  request: ["Look it up from your own program", "Vraag het op vanuit uw eigen programma"],
  vatRequest: ["Check it from your own program", "Controleer het vanuit uw eigen programma"],
  needsKey: [
    "With a key, the response includes the address and legal form; an enriched lookup adds activities, branches and VAT number.",
    "Met een sleutel bevat het antwoord ook het adres en de rechtsvorm; uitgebreid opzoeken voegt activiteiten, vestigingen en btw-nummer toe.",
  ],
  testKeys: ["Test keys: free, with fictional companies", "Testsleutels: gratis, met verzonnen bedrijven"],
  find: ["Found as you type", "Gevonden tijdens het typen"],
  findAbout: [
    "Misspelled, abbreviated or in another order: the right company comes first.",
    "Verkeerd gespeld, afgekort of in een andere volgorde: het juiste bedrijf staat bovenaan.",
  ],
  check: ["Never a false “invalid”", "Nooit ten onrechte ‘ongeldig’"],
  checkAbout: [
    "If VIES is down, we say so, and give the last known answer with its age.",
    "Is VIES onbereikbaar, dan melden we dat, met het laatst bekende antwoord en hoe oud dat is.",
  ],
  pay: ["Pay for answers only", "Betaal alleen voor antwoorden"],
  payAbout: [
    "Errors, refused calls, unknown KVK numbers and outages cost nothing.",
    "Fouten, geweigerde aanroepen, onbekende KVK-nummers en storingen kosten niets.",
  ],
  plans: ["Plans", "Abonnementen"],
  plansAbout: [
    "Calls cost tokens. You get a new allowance each month.",
    "Aanroepen kosten tokens. Elke maand krijgt u een nieuw tegoed.",
  ],
  prices: ["What it costs", "Wat het kost"],
  further: ["More information", "Meer informatie"],
  docs: ["API documentation", "API-documentatie"],
  status: ["Status of the service", "Status van de dienst"],
});
