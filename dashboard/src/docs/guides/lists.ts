import { bilingual } from "../../language/bilingual.ts";

export const lists = bilingual(
  {
    title: "Lists",
    about: "Many companies at once, without one bad number spoiling the rest.",
    body: `
[A batch](#/calls/post-v1-lookup-batch) looks up 1 to 100 companies in one call of the minute. You pay for each company that is delivered: 1 token,
or 5 with \`enrich\`.

{{list}}

## What comes back

- \`results\` holds the companies found and \`failed\` the numbers that were not, each with a code. Both keep your order.
- One bad number never fails the others, and failed numbers cost nothing.
- A number that you send twice is answered and charged once.
- A basic result carries name, city, postal code and whether the company is active; for the rest set \`enrich\`.

## Before you start

- Keep numbers as text. Of seven digits a leading zero was probably lost: the message says so.
- The whole price must be covered before a batch begins, or it is \`QUOTA_EXCEEDED\` and nothing is done: [ask what is left](#/calls/get-v1-usage).
- Calls a minute are limited, whatever the size of a batch: send full batches, and wait when told to, see [errors and retries](#/guides/errors).

For a file that you have once, the account page completes a CSV or Excel list without a program: Try it, then List.
`,
  },
  {
    title: "Lijsten",
    about: "Veel bedrijven tegelijk, zonder dat één fout nummer de rest bederft.",
    body: `
[Een batch](#/calls/post-v1-lookup-batch) zoekt 1 tot en met 100 bedrijven op in één aanroep van de minuut. U betaalt per geleverd bedrijf: 1
token, of 5 met \`enrich\`.

{{list}}

## Wat u terugkrijgt

- \`results\` bevat de gevonden bedrijven en \`failed\` de nummers die mislukten, elk met een code. Beide houden uw volgorde aan.
- Eén fout nummer laat de andere niet mislukken, en mislukte nummers kosten niets.
- Een nummer dat u twee keer stuurt, wordt één keer beantwoord en afgerekend.
- Een gewoon resultaat heeft naam, plaats, postcode en of het bedrijf actief is; voor de rest zet u \`enrich\` aan.

## Voordat u begint

- Bewaar nummers als tekst. Bij zeven cijfers is er waarschijnlijk een nul vooraan weggevallen; de melding zegt dat ook.
- De hele prijs moet gedekt zijn voordat een batch begint, anders is het \`QUOTA_EXCEEDED\` en gebeurt er niets: [vraag op wat er over is](#/calls/get-v1-usage).
- Het aantal aanroepen per minuut is beperkt, hoe groot een batch ook is: stuur volle batches en wacht als dat wordt gevraagd, zie [fouten en opnieuw proberen](#/guides/errors).

Voor een eenmalig bestand vult de accountpagina een CSV- of Excel-lijst aan zonder programma: Uitproberen, dan Lijst.
`,
  },
);
