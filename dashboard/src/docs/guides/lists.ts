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

## Up to 100,000 numbers

[A list](#/calls/post-v1-jobs) of KVK or VAT numbers is sent once, as JSON lines or CSV of 8 MB at most, in one call of the minute, and is worked off by and by, also over a restart of this service. Each number that is answered costs what it costs alone.

- \`dryRun=true\` tells the price and keeps nothing; \`maxTokens\` is a cap.
- [How far it is](#/calls/get-v1-jobs-jobId): \`counts\` and \`tokens\`. With the month's tokens it pauses, and goes on by itself when there are more; at its cap it waits for [resume](#/calls/post-v1-jobs-jobId-resume) with a higher one. One that has not ended by its \`expiresAt\` expires.
- [What it brought](#/calls/get-v1-jobs-jobId-results) can be fetched while it runs and for seven days after its end, as JSON lines or CSV; a download that broke off goes on by \`Range\` and \`If-Range\`.
- With \`webhook\` its end is told by a signed message (Standard Webhooks), with [a secret](#/calls/post-v1-webhook-secret) that you make first. It may come twice, with the same \`webhook-id\`.
- Send it with an \`Idempotency-Key\`: the same list that is sent again, as after an answer that was lost, is then told in the place of a second one. Without a key, look at [your lists](#/calls/get-v1-jobs) first.

The [client](#/guides/clients) has all of it in \`@opzoek/client/jobs\`, the check of the message too; a terminal has \`opzoek jobs\`.

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

## Tot 100.000 nummers

[Een grote lijst](#/calls/post-v1-jobs) met KVK- of btw-nummers stuurt u één keer, als JSON-regels of CSV van hooguit 8 MB, in één aanroep van de minuut; de dienst werkt hem gaandeweg af, ook over een herstart heen. Elk beantwoord nummer kost wat het los kost.

- \`dryRun=true\` geeft de prijs en bewaart niets; \`maxTokens\` is een plafond.
- [Hoe ver de lijst is](#/calls/get-v1-jobs-jobId): \`counts\` en \`tokens\`. Zijn de tokens van de maand op, dan pauzeert hij en gaat hij vanzelf verder als er weer zijn; bij zijn plafond wacht hij op [hervatten](#/calls/post-v1-jobs-jobId-resume) met een hoger. Is hij na 35 dagen niet af, dan verloopt hij.
- [De resultaten](#/calls/get-v1-jobs-jobId-results) haalt u op terwijl de lijst loopt en tot zeven dagen na het einde, als JSON-regels of CSV; een afgebroken download gaat verder met \`Range\` en \`If-Range\`.
- Met \`webhook\` meldt een ondertekend bericht het einde (Standard Webhooks), met [een geheim](#/calls/post-v1-webhook-secret) dat u eerst maakt. Het kan twee keer komen, met dezelfde \`webhook-id\`.
- Stuur hem met een \`Idempotency-Key\`: dezelfde lijst die u opnieuw stuurt, bijvoorbeeld omdat het antwoord kwijtraakte, komt dan niet naast de eerste te staan. Kijk zonder zo'n sleutel eerst bij [uw lijsten](#/calls/get-v1-jobs).

De [client](#/guides/clients) heeft dit alles in \`@opzoek/client/jobs\`, ook de controle van het bericht; op een terminal is er \`opzoek jobs\`.

Voor een eenmalig bestand vult de accountpagina een CSV- of Excel-lijst aan zonder programma: Uitproberen, dan Lijst.
`,
  },
);
