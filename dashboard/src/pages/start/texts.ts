import { bilingual } from "../../language/bilingual.ts";

export const texts = bilingual({
  welcome: ["Welcome to Opzoek", "Welkom bij Opzoek"],
  welcomeAbout: [
    "Three steps to your first call: save the key, copy the command, run it.",
    "In drie stappen naar uw eerste aanroep: sleutel bewaren, opdracht kopiëren, uitvoeren.",
  ],
  title: ["Start", "Start"],
  about: [
    "How many tokens you have left this month, and how to make a call.",
    "Hoeveel tokens u deze maand nog hebt en hoe u een aanroep doet.",
  ],
  keyTitle: ["Your first key", "Uw eerste sleutel"],
  keyAbout: [
    "Save it somewhere safe now, such as a password manager. We store only a fingerprint of it and can’t show it again.",
    "Bewaar hem nu op een veilige plek, zoals een wachtwoordkluis. Wij bewaren er alleen een vingerafdruk van en kunnen hem nooit meer tonen.",
  ],
  key: ["Key", "Sleutel"],
  firstCall: ["Your first call", "Uw eerste aanroep"],
  waitingForCall: ["Waiting for your first call …", "Wachten op uw eerste aanroep …"],
  callArrived: ["Your first call arrived.", "Uw eerste aanroep is binnen."],
  tryTitle: ["Or try it here", "Of probeer het hier"],
  tryAbout: [
    "The same call, made by this page on behalf of your account. It is a real call and costs 1 token.",
    "Dezelfde aanroep, door deze pagina gedaan namens uw account. Het is een echte aanroep, die 1 token kost.",
  ],
  tryButton: ["Make the call", "Aanroep doen"],
  answer: ["API response", "Antwoord van de API"],
  anotherTitle: ["Make a call", "Een aanroep doen"],
  anotherAbout: [
    "The examples read the key from the environment variable OPZOEK_KEY. Lost your key? Create a new one; the old one can’t be retrieved.",
    "De voorbeelden lezen de sleutel uit de omgevingsvariabele OPZOEK_KEY. Sleutel kwijt? Maak een nieuwe aan; de oude is niet op te vragen.",
  ],
  makeKey: ["Go to your keys", "Naar uw sleutels"],
  month: ["This month", "Deze maand"],
  details: ["See usage", "Verbruik bekijken"],
  next: ["Next steps", "Volgende stappen"],
  nextTry: ["Look up a company", "Bedrijf opzoeken"],
  nextTryAbout: [
    "By name or number, with its branches and VAT number",
    "Op naam of nummer, met vestigingen en btw-nummer",
  ],
  nextBatch: ["Complete a list", "Lijst aanvullen"],
  nextBatchAbout: [
    "Paste names or numbers, or upload a CSV or Excel file, and download the result",
    "Plak namen of nummers, of upload een CSV- of Excelbestand, en download het resultaat",
  ],
  nextDocs: ["Read the documentation", "Documentatie lezen"],
  nextDocsAbout: ["Every call, field and error", "Elke aanroep, elk veld en elke fout"],
});
