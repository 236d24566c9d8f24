import { bilingual } from "../../language/bilingual.ts";

/** What is said of a key's kind, and of keys for browsers. */
export const browserTexts = bilingual(
  {
    kind: "What the key is for",
    kinds: { live: "Live: for your server", test: "Test: for trying", pub: "Browser: for a web page" },
    kindsAbout: {
      live: "Can call everything. Keep it secret.",
      test: "Answers about fictional companies, free of charge.",
      pub: "Visible to everyone who opens the page, so it can do little: suggestions as you type, from your pages only.",
    },
    origins: "Web pages that may use it",
    originsAbout:
      "One origin on each line, such as https://shop.example, or https://*.shop.example for every name below it.",
    originsMissing: "Add at least one origin, such as https://shop.example.",
    originsWrong: (line: string) =>
      `“${line}” is no origin. Write https://shop.example or https://*.shop.example, without a path.`,
    originsMany: (most: string) =>
      `At most ${most} origins. Take names together, such as https://*.shop.example.`,
    dailyTokens: "Tokens a day, at most",
    dailyTokensAbout: "Limits what it costs when somebody copies the key. A day ends at midnight UTC.",
    dailyTokensWrong: (most: string) => `Enter a whole number from 1 to ${most}.`,
    mayLookUp: "May also look up companies",
    mayLookUpAbout: "Basic lookups by KVK number, to complete an address.",
    cap: (tokens: string) => `At most ${tokens} tokens a day`,
    capWithLookups: (tokens: string) => `At most ${tokens} tokens a day, lookups too`,
    on: (origins: string) => `On ${origins}`,
    onMany: (first: string, more: string) => `On ${first} and ${more} more`,
    seen: (origin: string) =>
      `Called from a browser at ${origin}. Anyone who opens that page can copy it: make a browser key for the page and replace this one.`,
    noPage: "a page without an address of its own",
    newAbout:
      "This key can go into your page. It is shown only once; if you lose it, create a new one. Paste this HTML into a page at one of the key’s origins.",
    html: "HTML for your page",
  },
  {
    kind: "Waarvoor de sleutel is",
    kinds: { live: "Live: voor uw server", test: "Test: om te proberen", pub: "Browser: voor een webpagina" },
    kindsAbout: {
      live: "Kan alles aanroepen. Houd hem geheim.",
      test: "Antwoorden over verzonnen bedrijven, gratis.",
      pub: "Zichtbaar voor iedereen die de pagina opent, dus hij kan weinig: suggesties tijdens het typen, alleen vanaf uw pagina’s.",
    },
    origins: "Webpagina’s die hem mogen gebruiken",
    originsAbout:
      "Op elke regel één origin, zoals https://shop.example, of https://*.shop.example voor elke naam daaronder.",
    originsMissing: "Vul ten minste één origin in, zoals https://shop.example.",
    originsWrong: (line) =>
      `‘${line}’ is geen origin. Schrijf https://shop.example of https://*.shop.example, zonder pad.`,
    originsMany: (most) => `Hooguit ${most} origins. Neem namen samen, zoals https://*.shop.example.`,
    dailyTokens: "Hooguit zoveel tokens per dag",
    dailyTokensAbout:
      "Beperkt wat het kost als iemand de sleutel kopieert. Een dag eindigt om middernacht UTC.",
    dailyTokensWrong: (most) => `Vul een heel getal van 1 tot en met ${most} in.`,
    mayLookUp: "Mag ook bedrijven opzoeken",
    mayLookUpAbout: "Gewone opzoekingen op KVK-nummer, om een adres in te vullen.",
    cap: (tokens) => `Hooguit ${tokens} tokens per dag`,
    capWithLookups: (tokens) => `Hooguit ${tokens} tokens per dag, ook opzoekingen`,
    on: (origins) => `Op ${origins}`,
    onMany: (first, more) => `Op ${first} en nog ${more}`,
    seen: (origin) =>
      `Aangeroepen vanuit een browser op ${origin}. Iedereen die die pagina opent kan hem kopiëren: maak een browsersleutel voor de pagina en vervang deze.`,
    noPage: "een pagina zonder eigen adres",
    newAbout:
      "Deze sleutel mag in uw pagina staan. Hij wordt maar één keer getoond; bent u hem kwijt, maak dan een nieuwe aan. Plak deze HTML in een pagina op een van de webadressen van de sleutel.",
    html: "HTML voor uw pagina",
  },
);
