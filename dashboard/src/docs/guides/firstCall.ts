import { bilingual } from "../../language/bilingual.ts";

export const firstCall = bilingual(
  {
    title: "First call",
    about: "From a key to a company in a minute.",
    body: `
## 1. Get a key

Sign up or sign in at [the account page](/) and create a key under Keys. It is shown once: keep it as you keep a password.
Whoever has it can spend your tokens, so it belongs in no web page, no app and no repository.

Every example here reads it from the environment. In a terminal: \`export OPZOEK_KEY=opz_live_…\`, in PowerShell:
\`$env:OPZOEK_KEY = "opz_live_…"\`. The demo needs no account: it prints its keys in the terminal where it was started.

## 2. Look up a company

A company is known by its KVK number: eight digits, as text. Numbers may begin with a zero, which spreadsheets and numbers in JSON lose.

{{first-call}}

The key goes into the header \`Authorization: Bearer …\`. Where a client cannot send headers, \`?apikey=…\` works too; addresses end
up in logs and histories, so prefer the header.

## 3. Read the answer

- What is not known is absent. A field is never null and never an empty text, so test whether it is there.
- \`source.kvk\` says where the data comes from and \`source.cachedAt\` of when it is.
- With \`enrich=true\` you get all that is known: trading names, legal form, activities, and [the VAT number with its verdict](#/guides/vat).
- Every answer says in its headers what it cost and what is left, see [limits](#/guides/limits).

## Where to go on

- People type a name: [autocomplete](#/calls/get-v1-autocomplete) while they type, [search](#/calls/get-v1-search) with filters.
- You have a file of numbers: [lists](#/guides/lists).
- A call failed: [errors and retries](#/guides/errors).
`,
  },
  {
    title: "Eerste aanroep",
    about: "In een minuut van sleutel naar bedrijf.",
    body: `
## 1. Maak een sleutel aan

Meld u aan of log in op [de accountpagina](/) en ga naar Sleutels. U ziet een sleutel maar één keer: bewaar hem als een
wachtwoord. Wie hem heeft, besteedt uw tokens. Zet hem dus niet in een webpagina, een app of een repository.

Alle voorbeelden lezen de sleutel uit de omgeving. In een terminal: \`export OPZOEK_KEY=opz_live_…\`, in PowerShell:
\`$env:OPZOEK_KEY = "opz_live_…"\`. Voor de demo hebt u geen account nodig: die toont zijn sleutels in de terminal waarin hij is gestart.

## 2. Zoek een bedrijf op

Een bedrijf herkent u aan zijn KVK-nummer: acht cijfers, als tekst. Een nummer kan met een nul beginnen, en die gaat verloren in
spreadsheets en in getallen in JSON.

{{first-call}}

De sleutel staat in de header \`Authorization: Bearer …\`. Kan een client geen headers sturen, dan werkt \`?apikey=…\` ook. Adressen
komen in logboeken en geschiedenissen terecht; kies dus liever de header.

## 3. Lees het antwoord

- Wat niet bekend is, ontbreekt. Een veld is nooit null en nooit een lege tekst. Kijk dus of het er is.
- \`source.kvk\` zegt waar de gegevens vandaan komen en \`source.cachedAt\` van wanneer ze zijn.
- Met \`enrich=true\` krijgt u alles wat bekend is: handelsnamen, rechtsvorm, activiteiten en [het btw-nummer met de uitslag](#/guides/vat).
- Elk antwoord zegt in zijn headers wat het kostte en wat er over is, zie [limieten](#/guides/limits).

## Hoe verder

- Iemand typt een naam: [autocomplete](#/calls/get-v1-autocomplete) tijdens het typen, [search](#/calls/get-v1-search) met filters.
- U hebt een bestand met nummers: [lijsten](#/guides/lists).
- Een aanroep mislukt: [fouten en opnieuw proberen](#/guides/errors).
`,
  },
);
