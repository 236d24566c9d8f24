import { bilingual } from "../../language/bilingual.ts";
import { testKeyTables } from "./testKeyTables.ts";

const { en, nl } = testKeyTables;

export const testKeys = bilingual(
  {
    title: "Test keys",
    about: "Every answer that your program must be ready for, without cost.",
    body: `
A test key begins with \`opz_test_\`. It calls the same paths with the same rules, headers and limits as any key, and gets answers out of the fixed tables below: companies and
VAT numbers that don't exist. Nobody outside is asked, and your tokens stay as they are.

Create one among your [keys](/), or ask the operator of this service for one (\`opzoek key create --kind test\`). Move to a live key by changing nothing but the key.

- **Tokens** are counted apart: a test key has as many test tokens a month as your plan has tokens. \`X-Tokens-Remaining\` counts them down, and
[usage](#/calls/get-v1-usage) with a test key tells that count, with \`isTest: true\`.
- **Calls a minute** are those of your plan, for each key.
- **Errors cost nothing**, as always. After a simulated \`429\` the next answer tells the true numbers again.

## Companies

Look them up, basic or enriched, alone or in a batch, and ask for their branches.
${en.companies}
## VAT numbers
${en.vatNumbers}
## Errors

A KVK number gives its error when it is looked up, with or without branches, and when it is all that is typed into autocomplete or search. In a batch \`404\` and \`502\` are failed items; the others answer the
whole call. \`99993000\` takes three seconds there too. All other errors come about as they do with a live key: a number of seven digits, an unknown path, a key with a letter changed.
${en.errors}
## Autocomplete and search

Names, cities, postal codes, legal forms and activities of the companies above are found as real ones are.
${en.queries}`,
  },
  {
    title: "Testsleutels",
    about: "Elk antwoord waar uw programma op voorbereid moet zijn, zonder kosten.",
    body: `
Een testsleutel begint met \`opz_test_\`. Hij roept dezelfde paden aan met dezelfde regels, headers en limieten als elke sleutel, en krijgt antwoorden uit de vaste tabellen hieronder: bedrijven en
btw-nummers die niet bestaan. Er wordt niemand buiten de dienst iets gevraagd, en uw tokens blijven zoals ze zijn.

Maak er een bij uw [sleutels](/), of vraag de beheerder erom (\`opzoek key create --kind test\`). Voor het echte gebruik verandert u alleen de sleutel.

- **Tokens** worden apart geteld: een testsleutel heeft per maand zoveel testtokens als uw abonnement tokens heeft. \`X-Tokens-Remaining\` telt ze af, en
[het verbruik](#/calls/get-v1-usage) met een testsleutel noemt die telling, met \`isTest: true\`.
- **Aanroepen per minuut** zijn die van uw abonnement, per sleutel.
- **Fouten kosten niets**, zoals altijd. Na een nagebootste \`429\` noemt het volgende antwoord weer de echte aantallen.

## Bedrijven

Zoek ze op, beknopt of uitgebreid, alleen of in een batch, en vraag hun vestigingen op.
${nl.companies}
## Btw-nummers
${nl.vatNumbers}
## Fouten

Een KVK-nummer geeft zijn fout als het wordt opgezocht, met of zonder vestigingen, en als het alles is wat er in autocomplete of zoeken getypt wordt. In een batch zijn \`404\` en \`502\` mislukte nummers; de andere zijn het antwoord op de
hele aanroep. \`99993000\` doet er ook daar drie seconden over. Alle andere fouten ontstaan zoals met een live-sleutel: een nummer van zeven cijfers, een onbekend pad, een sleutel met een andere letter.
${nl.errors}
## Autocomplete en zoeken

Namen, plaatsen, postcodes, rechtsvormen en activiteiten van de bedrijven hierboven worden gevonden zoals echte.
${nl.queries}`,
  },
);
