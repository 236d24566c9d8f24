import { bilingual } from "../../language/bilingual.ts";

export const vat = bilingual(
  {
    title: "VAT statuses",
    about: "What is said of a VAT number, and how sure that is.",
    body: `
\`status\` tells how the verdict came about, \`valid\` what it is. Read both: only \`validated\` is the current answer of VIES, the
European Commission's service.

| \`status\` | what it means | \`valid\` |
|---|---|---|
| \`validated\` | VIES answered now, or at most an hour ago (five minutes for a number that isn't valid) | VIES's answer |
| \`stale\` | outdated: VIES isn't answering now, but did within the last 30 days; \`validatedAt\` and \`ageSeconds\` tell when | the earlier answer |
| \`malformed\` | incorrect format for its country, or the Dutch check digits don't match; VIES wasn't asked | false |
| \`unvalidated\` | only in an enriched company: VIES isn't answering and there is no earlier answer | absent |

If VIES isn't answering and there is no earlier answer, [validating a number](#/calls/get-v1-validate-vat-vatNumber) gives
\`UPSTREAM_ERROR\` (502), which costs nothing. An outage is never reported as not valid.

{{vat}}

## Up to date, or fast

An answer of VIES is used again for an hour. \`maxAge\` narrows that: \`maxAge=0\` asks VIES now and waits for it. If VIES doesn't answer,
you get the earlier one as \`stale\`.

## Proof

With your own VAT number as \`requester\` VIES is asked now and in your name, and the answer carries a \`consultationNumber\`: the
proof that you checked. Keep it with the invoice.

## The number of a company

An [enriched lookup](#/calls/get-v1-lookup-kvkNumber) carries \`vat\` where the number is known. With \`origin: rsin\` it was derived
from the RSIN. When VIES refuses such a number the company may be in a fiscal unit, whose number is another. The number of a sole trader cannot be derived: then
\`vat\` is absent.

\`checksumValid\` says that the format of a number is correct, never that it exists.
`,
  },
  {
    title: "Btw-statussen",
    about: "Wat er van een btw-nummer wordt gezegd, en hoe zeker dat is.",
    body: `
\`status\` zegt hoe de uitslag tot stand kwam, \`valid\` wat die is. Lees ze allebei: alleen \`validated\` is het actuele woord van VIES, de
dienst van de Europese Commissie.

| \`status\` | wat het betekent | \`valid\` |
|---|---|---|
| \`validated\` | VIES antwoordde nu, of maximaal een uur geleden (bij een ongeldig nummer: vijf minuten) | het antwoord van VIES |
| \`stale\` | verouderd: VIES antwoordt nu niet, maar deed dat wel in de laatste 30 dagen; \`validatedAt\` en \`ageSeconds\` zeggen wanneer | het eerdere antwoord |
| \`malformed\` | onjuist formaat voor het land, of de Nederlandse controle klopt niet; VIES is niet gevraagd | false |
| \`unvalidated\` | alleen bij een uitgebreid opgezocht bedrijf: VIES antwoordt niet en er is geen eerder antwoord | ontbreekt |

Antwoordt VIES niet en is er geen eerder antwoord, dan geeft [de controle van een nummer](#/calls/get-v1-validate-vat-vatNumber)
\`UPSTREAM_ERROR\` (502), en die kost niets. Een storing heet nooit ongeldig.

{{vat}}

## Actueel of snel

Een antwoord van VIES wordt een uur lang opnieuw gebruikt. Met \`maxAge\` maakt u dat korter: \`maxAge=0\` vraagt het VIES nu en wacht
daarop. Antwoordt VIES dan niet, dan krijgt u het eerdere antwoord als \`stale\`.

## Bewijs

Met uw eigen btw-nummer als \`requester\` wordt VIES nu en namens u gevraagd, en het antwoord bevat een \`consultationNumber\`: het bewijs
dat u hebt gecontroleerd. Bewaar het bij de factuur.

## Het nummer van een bedrijf

[Uitgebreid opzoeken](#/calls/get-v1-lookup-kvkNumber) geeft \`vat\` als het nummer bekend is. Bij \`origin: rsin\` is het afgeleid van het
RSIN. Wijst VIES zo'n nummer af, dan kan het bedrijf in een fiscale eenheid zitten, die een ander nummer heeft. Het nummer van een eenmanszaak is
niet af te leiden: dan ontbreekt \`vat\`.

\`checksumValid\` zegt dat een nummer goed is gevormd, nooit dat het bestaat.
`,
  },
);
