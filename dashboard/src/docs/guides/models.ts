import { bilingual } from "../../language/bilingual.ts";

export const models = bilingual(
  {
    title: "Language models",
    about:
      "Tools for a host of a language model, by the Model Context Protocol, and the same from a terminal.",
    body: `
This service speaks the Model Context Protocol at \`/mcp\`: a host of a language model that is given this address and your key can look companies up by itself, at the same prices and within the same limits.

## Add it to a host

Most hosts ask for a server of type \`http\` (streamable HTTP) and its headers:

| field | value |
|---|---|
| URL | the address of this service, then \`/mcp\` |
| header | \`Authorization: Bearer\`, then your key |

A host that starts programs instead runs \`opzoek mcp\`, with \`OPZOEK_URL\` (the address of this service) and \`OPZOEK_KEY\` in its environment. A key for browsers calls no tools.

## What the model gets

| tool | does | tokens |
|---|---|---|
| \`lookup_company\` | [one company](#/calls/get-v1-lookup-kvkNumber) | 1, enriched 5 |
| \`search_companies\` | [companies by name, place or activity](#/calls/get-v1-search) | 1 |
| \`list_branches\` | [the branches of a company](#/calls/get-v1-lookup-kvkNumber-branches) | 5 |
| \`validate_vat_number\` | [what VIES says of a VAT number](#/calls/get-v1-validate-vat-vatNumber) | 1 |
| \`show_usage\` | [what is left](#/calls/get-v1-usage) | 0 |

- Each tool says its price to the model, and each result what was charged.
- What goes wrong is told to the model as in [errors and retries](#/guides/errors), and costs nothing. An outage of VIES is never "not valid".
- Every message takes a call of the minute, also the two or three with which a host connects.

## From a terminal

With \`OPZOEK_URL\` and \`OPZOEK_KEY\` set, \`opzoek lookup\`, \`search\`, \`branches\`, \`autocomplete\`, \`vat\`, \`batch\` and \`jobs\` ask this service and print tables, or JSON with \`--json\`.
`,
  },
  {
    title: "Taalmodellen",
    about:
      "Tools voor een host van een taalmodel, met het Model Context Protocol, en hetzelfde vanaf een terminal.",
    body: `
Deze dienst spreekt het Model Context Protocol op \`/mcp\`: een host van een taalmodel die dit adres en uw sleutel krijgt, zoekt zelf bedrijven op, voor dezelfde prijzen en binnen dezelfde limieten.

## Aan een host toevoegen

De meeste hosts vragen om een server van het type \`http\` (streamable HTTP) en zijn headers:

| veld | waarde |
|---|---|
| URL | het adres van deze dienst, dan \`/mcp\` |
| header | \`Authorization: Bearer\`, dan uw sleutel |

Een host die programma's start, draait \`opzoek mcp\`, met \`OPZOEK_URL\` (het adres van deze dienst) en \`OPZOEK_KEY\` in de omgeving. Een sleutel voor browsers roept geen tools aan.

## Wat het model krijgt

| tool | doet | tokens |
|---|---|---|
| \`lookup_company\` | [één bedrijf](#/calls/get-v1-lookup-kvkNumber) | 1, uitgebreid 5 |
| \`search_companies\` | [bedrijven op naam, plaats of activiteit](#/calls/get-v1-search) | 1 |
| \`list_branches\` | [de vestigingen van een bedrijf](#/calls/get-v1-lookup-kvkNumber-branches) | 5 |
| \`validate_vat_number\` | [wat VIES van een btw-nummer zegt](#/calls/get-v1-validate-vat-vatNumber) | 1 |
| \`show_usage\` | [wat er over is](#/calls/get-v1-usage) | 0 |

- Elke tool zegt het model wat hij kost, en elk resultaat wat er is afgerekend.
- Wat misgaat hoort het model zoals in [fouten en opnieuw proberen](#/guides/errors), en kost niets. Een storing van VIES is nooit "niet geldig".
- Elk bericht is een aanroep van de minuut, ook de twee of drie waarmee een host verbinding maakt.

## Vanaf een terminal

Met \`OPZOEK_URL\` en \`OPZOEK_KEY\` gezet vragen \`opzoek lookup\`, \`search\`, \`branches\`, \`autocomplete\`, \`vat\`, \`batch\` en \`jobs\` deze dienst en tonen ze tabellen, of JSON met \`--json\`.
`,
  },
);
