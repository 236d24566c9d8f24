import { bilingual } from "../../language/bilingual.ts";

export const texts = bilingual(
  {
    title: "The Dutch company registry, one call away",
    about:
      "Find companies as people type, look them up by KVK number, and check VAT numbers with the EU: one HTTP API, plain JSON.",
    signUp: "Create account",
    signIn: "Sign in",
    searchAbout:
      "Try it without an account: type a name, a KVK number or a VAT number. Twenty searches a minute.",
    none: "No company found. Check the spelling, try fewer letters, or type the full KVK number or a VAT number.",
    name: "Name",
    city: "City",
    number: "KVK number",
    alsoKnownAs: "Also known as",
    fuzzy: "No exact match. Did you mean:",
    noNumber:
      "The registry of this service has no company with this number. Check the digits, or search by name.",
    vat: "A VAT number is checked with VIES, the EU’s register. That requires a key: each check costs 1 token.",
    request: "Look it up from your own program",
    vatRequest: "Check it from your own program",
    needsKey:
      "With a key, the response includes the address and legal form; an enriched lookup adds activities, branches and VAT number.",
    testKeys: "Test keys: free, with fictional companies",
    find: "Found as you type",
    findAbout: "Misspelled, abbreviated or in another order: the right company comes first.",
    check: "Never a false “invalid”",
    checkAbout: "If VIES is down, we say so, and give the last known answer with its age.",
    pay: "Pay for answers only",
    payAbout: "Errors, refused calls, unknown KVK numbers and outages cost nothing.",
    plans: "Plans",
    plansAbout: "Calls cost tokens. You get a new allowance each month.",
    prices: "What it costs",
    further: "More information",
    docs: "API documentation",
    status: "Status of the service",
  },
  {
    title: "Het Nederlandse handelsregister, in één API",
    about:
      "Vind bedrijven tijdens het typen, zoek ze op met hun KVK-nummer en controleer btw-nummers bij de EU: één HTTP-API, gewone JSON.",
    signUp: "Account aanmaken",
    signIn: "Inloggen",
    searchAbout:
      "Probeer het zonder account: typ een naam, een KVK-nummer of een btw-nummer. Twintig zoekopdrachten per minuut.",
    none: "Geen bedrijf gevonden. Controleer de spelling, probeer minder letters of typ het volledige KVK-nummer of een btw-nummer.",
    name: "Naam",
    city: "Plaats",
    number: "KVK-nummer",
    alsoKnownAs: "Ook bekend als",
    fuzzy: "Geen exacte treffer. Bedoelde u:",
    noNumber:
      "Het register van deze dienst heeft geen bedrijf met dit nummer. Controleer de cijfers of typ de naam.",
    vat: "Een btw-nummer controleren we bij VIES, het register van de EU. Daarvoor is een sleutel nodig: elke controle kost 1 token.",
    request: "Vraag het op vanuit uw eigen programma",
    vatRequest: "Controleer het vanuit uw eigen programma",
    needsKey:
      "Met een sleutel bevat het antwoord ook het adres en de rechtsvorm; uitgebreid opzoeken voegt activiteiten, vestigingen en btw-nummer toe.",
    testKeys: "Testsleutels: gratis, met verzonnen bedrijven",
    find: "Gevonden tijdens het typen",
    findAbout: "Verkeerd gespeld, afgekort of in een andere volgorde: het juiste bedrijf staat bovenaan.",
    check: "Nooit ten onrechte ‘ongeldig’",
    checkAbout: "Is VIES onbereikbaar, dan melden we dat, met het laatst bekende antwoord en hoe oud dat is.",
    pay: "Betaal alleen voor antwoorden",
    payAbout: "Fouten, geweigerde aanroepen, onbekende KVK-nummers en storingen kosten niets.",
    plans: "Abonnementen",
    plansAbout: "Aanroepen kosten tokens. Elke maand krijgt u een nieuw tegoed.",
    prices: "Wat het kost",
    further: "Meer informatie",
    docs: "API-documentatie",
    status: "Status van de dienst",
  },
);
