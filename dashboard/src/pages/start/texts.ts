import { bilingual } from "../../language/bilingual.ts";

export const texts = bilingual(
  {
    welcome: "Welcome to Opzoek",
    welcomeAbout: "Your first call is three steps away: take the key, copy the line, run it.",
    title: "Start",
    about: "What is left this month, and how to make a call.",
    keyTitle: "Your first key",
    keyAbout:
      "Keep it somewhere safe now, such as a password manager. We store only a fingerprint of it and can never show it again.",
    key: "Key",
    curl: "Run this in a terminal",
    tryTitle: "Or try it here",
    tryAbout:
      "The same call, made by this page in your account's name. It is real, and costs one of your tokens.",
    tryButton: "Make the call",
    answer: "Answer of the API",
    anotherTitle: "Make a call",
    anotherAbout:
      "Put one of your keys in the place of YOUR_KEY. Lost it? Make another; nobody can show it again.",
    makeKey: "Go to your keys",
    month: "This month",
    details: "All usage",
    next: "Go on",
    nextTry: "Look up a company",
    nextTryAbout: "By name or number, with its branches and VAT number",
    nextBatch: "Complete a list",
    nextBatchAbout: "Paste numbers or drop a CSV file, take the result along",
    nextDocs: "Read the documentation",
    nextDocsAbout: "Every call, field and error",
  },
  {
    welcome: "Welkom bij Opzoek",
    welcomeAbout: "Uw eerste aanroep is drie stappen ver: neem de sleutel, kopieer de regel, voer hem uit.",
    title: "Start",
    about: "Wat er deze maand over is, en hoe u een aanroep doet.",
    keyTitle: "Uw eerste sleutel",
    keyAbout:
      "Bewaar hem nu op een veilige plek, zoals een wachtwoordkluis. Wij bewaren er alleen een vingerafdruk van en kunnen hem nooit meer tonen.",
    key: "Sleutel",
    curl: "Voer dit uit in een terminal",
    tryTitle: "Of probeer het hier",
    tryAbout:
      "Dezelfde aanroep, door deze pagina gedaan uit naam van uw account. Hij is echt en kost één van uw tokens.",
    tryButton: "Doe de aanroep",
    answer: "Antwoord van de API",
    anotherTitle: "Doe een aanroep",
    anotherAbout:
      "Zet een van uw sleutels op de plaats van YOUR_KEY. Kwijt? Maak een andere; niemand kan hem nog eens tonen.",
    makeKey: "Naar uw sleutels",
    month: "Deze maand",
    details: "Al het verbruik",
    next: "Verder",
    nextTry: "Zoek een bedrijf op",
    nextTryAbout: "Op naam of nummer, met vestigingen en btw-nummer",
    nextBatch: "Vul een lijst aan",
    nextBatchAbout: "Plak nummers of sleep een CSV-bestand, neem het resultaat mee",
    nextDocs: "Lees de documentatie",
    nextDocsAbout: "Elke aanroep, elk veld en elke fout",
  },
);
