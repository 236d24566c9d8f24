import { bilingual } from "../../../language/bilingual.ts";
import { vatStates } from "../../../language/vatStates.ts";

/** Titles and texts of the columns that are added to a list, in the order of the file. */
export const resultTexts = bilingual({
  columns: {
    kvkNumber: ["KVK number", "KVK-nummer"],
    name: ["Name", "Naam"],
    tradingNames: ["Trading names", "Handelsnamen"],
    street: ["Street", "Straat"],
    houseNumber: ["House number", "Huisnummer"],
    postalCode: ["Postal code", "Postcode"],
    city: ["City", "Plaats"],
    country: ["Country", "Land"],
    isActive: ["Active", "Actief"],
    legalForm: ["Legal form", "Rechtsvorm"],
    registrationDate: ["Registered on", "Ingeschreven op"],
    activities: ["Activities (SBI)", "Activiteiten (SBI)"],
    vatNumber: ["VAT number", "Btw-nummer"],
    vatValid: ["VAT number valid", "Btw-nummer geldig"],
    vatStatus: ["VAT check", "Btw-controle"],
    euid: ["EUID", "EUID"],
    lei: ["LEI", "LEI"],
    leiStatus: ["LEI status", "LEI-status"],
    insolvency: ["Insolvency", "Insolventie"],
    insolvencySince: ["Insolvent since", "Insolvent sinds"],
    insolvencyEnded: ["Insolvency ended on", "Insolventie beëindigd op"],
    court: ["Court", "Rechtbank"],
    caseNumber: ["Case number", "Insolventienummer"],
    insolvencyAsOf: ["Insolvency as of", "Peildatum insolventie"],
    peppol: ["Peppol", "Peppol"],
    participantId: ["Peppol ID", "Peppol-ID"],
    peppolReceives: ["Receives on Peppol", "Ontvangt via Peppol"],
    accessPoint: ["Peppol access point", "Peppol-toegangspunt"],
    peppolAsOf: ["Peppol checked on", "Peppol gecontroleerd op"],
    outcome: ["Result", "Resultaat"],
    decision: ["Match", "Koppeling"],
    score: ["Score", "Score"],
    isChosen: ["Chosen by a person", "Zelf gekozen"],
    why: ["Explanation", "Toelichting"],
  },

  /** For a column whose title the list has already. */
  taken: (title: string) => [`${title} (Opzoek)`, `${title} (Opzoek)`],
  yes: ["yes", "ja"],
  no: ["no", "nee"],
  unknown: ["can't be checked right now", "nu niet vast te stellen"],
  noOfDerived: [
    "no (number derived from the RSIN; the company may belong to a VAT group)",
    "nee (nummer afgeleid van het RSIN; het bedrijf kan bij een fiscale eenheid horen)",
  ],
  vatStatus: vatStates,
  outcomes: {
    found: ["Found", "Gevonden"],
    checked: ["Checked", "Gecontroleerd"],
    notFound: ["Not in the registry", "Niet in het register"],
    noAnswer: ["No answer", "Geen antwoord"],
    notANumber: ["Not a KVK number", "Geen KVK-nummer"],
    invalid: ["Skipped", "Overgeslagen"],
    waiting: ["Not looked up yet", "Nog niet opgezocht"],
    matched: ["Matched", "Gekoppeld"],
    ambiguous: ["To check", "Te beoordelen"],
    none: ["No match", "Geen match"],
    chosen: ["Chosen by you", "Door u gekozen"],
  },
  why: {
    notFound: [
      "The registry has no company with this number.",
      "Het register kent geen bedrijf met dit nummer.",
    ],
    noAnswer: [
      "The service or its source couldn't answer. This says nothing about the company. Try again later.",
      "De dienst of de bron kon geen antwoord geven. Dit zegt niets over het bedrijf. Probeer het later opnieuw.",
    ],
    phone: ["This is a phone number.", "Dit is een telefoonnummer."],
    date: ["This is a date.", "Dit is een datum."],
    rounded: [
      "A spreadsheet rounded this number and digits were lost. Check the original.",
      "Een spreadsheet heeft dit nummer afgerond en er zijn cijfers verloren gegaan. Controleer het origineel.",
    ],
    length: ["A KVK number has eight digits.", "Een KVK-nummer heeft acht cijfers."],
    text: ["This isn't a number.", "Dit is geen nummer."],
    empty: ["There is no number in this row.", "In deze rij staat geen nummer."],
    invalid: [
      "This row needs a name, a number, or a postal code with a house number.",
      "Deze rij heeft een naam, een nummer, of een postcode met huisnummer nodig.",
    ],
    ambiguous: [
      "More than one company fits, or none fits well enough. Choose one yourself.",
      "Er passen meerdere bedrijven, of geen enkel bedrijf past goed genoeg. Kies zelf.",
    ],
    tooLong: [
      "This row has a longer text than a name or an address can be.",
      "Deze rij heeft een tekst die langer is dan een naam of adres kan zijn.",
    ],
    total: [
      "This row adds up amounts; it isn't a company.",
      "Deze rij telt bedragen op; het is geen bedrijf.",
    ],
    none: [
      "The company is probably not in this registry: nothing in it is similar.",
      "Het bedrijf staat waarschijnlijk niet in dit register: er staat niets in dat erop lijkt.",
    ],
    noneFits: [
      "No company fits well enough. Find it yourself, or type its number.",
      "Geen enkel bedrijf past goed genoeg. Zoek het zelf of typ het nummer.",
    ],
    notANumber: [
      "The service doesn't accept this as a KVK number.",
      "De dienst accepteert dit niet als KVK-nummer.",
    ],
    waiting: ["This row hasn't been looked up.", "Deze rij is nog niet opgezocht."],
  },

  /** By the codes of the API. */
  notes: {
    left_out: ["A part of the name was not compared.", "Een deel van de naam is niet vergeleken."],
    number_unusable: [
      "A number that can't be right was not used.",
      "Een nummer dat niet kan kloppen, is niet gebruikt.",
    ],
    number_padded: [
      "Lost leading zeros of the number were added.",
      "Weggevallen voorloopnullen van het nummer zijn teruggezet.",
    ],
    number_unknown: [
      "This registry has no company with the given number.",
      "Dit register kent geen bedrijf met het opgegeven nummer.",
    ],
    number_shared: [
      "Several companies have the given number.",
      "Meerdere bedrijven hebben het opgegeven nummer.",
    ],
    numbers_differ: [
      "The given numbers belong to different companies.",
      "De opgegeven nummers zijn van verschillende bedrijven.",
    ],
    name_differs: [
      "The given number belongs to a company with another name.",
      "Het opgegeven nummer is van een bedrijf met een andere naam.",
    ],
    form_differs: [
      "The legal form is another one than in your list.",
      "De rechtsvorm is een andere dan in uw lijst.",
    ],
  },

  /** After each explanation. */
  free: ["Nothing was charged.", "Er is niets in rekening gebracht."],
  sheet: ["List", "Lijst"],
});
