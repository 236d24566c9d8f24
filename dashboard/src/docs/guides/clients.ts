import { bilingual } from "../../language/bilingual.ts";

export const clients = bilingual(
  {
    title: "Clients",
    about:
      "A typed client for TypeScript and JavaScript, and one for any other language out of the API document.",
    body: `
Every call is a line of HTTP, and [each of them](#/calls/get-v1-lookup-kvkNumber) stands here as a program in five languages. For more than a few calls use a client.

## TypeScript and JavaScript

\`@opzoek/client\` runs in browsers, workers, Node.js, Deno and Bun, needs no other package, and is typed out of the same contract as this page. It is in the source of this service,
in the folder \`client\`, and is packed there by \`npm pack\`.

- Tries of one call share an \`Idempotency-Key\`, so that a call that is repeated is never paid twice.
- It waits as long as the service asks, with one deadline over all tries; never for an allowance that is used up.
- Each error code has a class of its own.
- While somebody types, each stroke gives up the one before, and a word costs one token.
- A batch has any length and a search has pages, within the calls a minute of the key.
- \`valid\` of a VAT number cannot be read before its \`status\`: an outage is not a no.
- \`@opzoek/client/jobs\` sends [lists of up to 100,000 numbers](#/guides/lists), reads what they brought over connections that break, and checks the message that tells their end.

## Other languages

The whole API is an OpenAPI 3.1 document at \`/v1/openapi.json\` of this service; no key is needed to read it. Generators write types and calls out of it. Of those from npm these were tried: openapi-typescript with openapi-fetch, @hey-api/openapi-ts, orval
and swagger-typescript-api. Generators for Java, .NET, Go, Python and Swift were not tried.

What is generated knows types and paths, not money. Add by hand:

- the header \`Authorization: Bearer\` with your key;
- [errors](#/guides/errors): choose by \`code\`, wait for \`Retry-After\`, and never after \`QUOTA_EXCEEDED\`;
- one random \`Idempotency-Key\` for all tries of a call, so that an answer that was lost is not paid twice;
- one \`session\` for one person in one field, on autocomplete: anew after three minutes or 41 calls;
- [VAT](#/guides/vat): look at \`status\` before \`valid\`;
- KVK numbers as text: they may begin with a zero.
`,
  },
  {
    title: "Clients",
    about:
      "Een getypeerde client voor TypeScript en JavaScript, en een voor elke andere taal uit het API-document.",
    body: `
Elke aanroep is één regel HTTP, en [elke aanroep](#/calls/get-v1-lookup-kvkNumber) staat hier als programma in vijf talen. Gebruik voor meer dan een paar aanroepen een client.

## TypeScript en JavaScript

\`@opzoek/client\` werkt in browsers, workers, Node.js, Deno en Bun, heeft geen ander pakket nodig en is getypeerd uit hetzelfde contract als deze pagina. Hij staat in de broncode van deze dienst,
in de map \`client\`, en wordt daar met \`npm pack\` ingepakt.

- Pogingen van één aanroep delen een \`Idempotency-Key\`, zodat u een herhaalde aanroep nooit twee keer betaalt.
- De client wacht zo lang als de dienst vraagt, met één tijdslimiet over alle pogingen; nooit op tokens die op zijn.
- Elke foutcode heeft een eigen klasse.
- Tijdens het typen breekt elke aanslag de vorige af, en een woord kost één token.
- Een batch mag elke lengte hebben en zoeken gaat per pagina, binnen de aanroepen per minuut van de sleutel.
- \`valid\` van een btw-nummer is niet te lezen voordat u naar \`status\` kijkt: een storing is geen nee.
- \`@opzoek/client/jobs\` stuurt [lijsten tot 100.000 nummers](#/guides/lists), leest wat ze opleverden over verbindingen die breken, en controleert het bericht dat hun einde meldt.

## Andere talen

De hele API is een OpenAPI 3.1-document op \`/v1/openapi.json\` van deze dienst; u kunt het zonder sleutel lezen. Generatoren maken daar typen en aanroepen van. Van die op npm zijn deze geprobeerd: openapi-typescript met openapi-fetch, @hey-api/openapi-ts, orval
en swagger-typescript-api. Generatoren voor Java, .NET, Go, Python en Swift zijn niet geprobeerd.

Wat gegenereerd is kent typen en paden, geen geld. Voeg zelf toe:

- de header \`Authorization: Bearer\` met uw sleutel;
- [fouten](#/guides/errors): kies op \`code\`, wacht \`Retry-After\` af, en wacht nooit na \`QUOTA_EXCEEDED\`;
- één willekeurige \`Idempotency-Key\` voor alle pogingen van een aanroep, zodat u een antwoord dat kwijtraakt niet twee keer betaalt;
- één \`session\` voor één persoon in één veld, bij autocomplete: na drie minuten of 41 aanroepen een nieuwe;
- [btw](#/guides/vat): kijk naar \`status\` voordat u \`valid\` leest;
- KVK-nummers als tekst: ze kunnen met een nul beginnen.
`,
  },
);
