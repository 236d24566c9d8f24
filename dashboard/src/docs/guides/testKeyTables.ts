/** Made of the table in `src/sandbox`: `npx vitest run test/docs/testKeys.test.ts -u` writes it anew. */
export const testKeyTables = {
  en: {
    companies: `
| KVK number | name | what it shows |
| --- | --- | --- |
| \`99990001\` | Testbakkerij De Proef B.V. | all that may be known; VAT number valid |
| \`99990002\` | Test Fiscale Eenheid B.V. | VAT number derived from the RSIN and refused by VIES, as in a fiscal unit |
| \`99990003\` | Test Eerder Antwoord B.V. | VAT verdict stale: VIES does not answer now |
| \`99990004\` | Test Zonder Antwoord B.V. | VAT verdict unvalidated: VIES does not answer and nothing is held |
| \`99990005\` | Test Verkeerd Nummer N.V. | VAT number given by the registry, and malformed |
| \`99990006\` | Test Schilderwerken Proefpersoon | sole trader: no RSIN, VAT number given by the registry |
| \`99990007\` | Test Klussen Zonder Nummer | sole trader without a VAT number: no \`vat\` |
| \`99990009\` | Test Afgeschermd Adres | shielded address: city and country alone |
| \`99990010\` | Stichting Test Postbus | PO box; no branches: an empty list |
| \`99990011\` | Test Foreign Branch GmbH | address abroad: street and number as given, no postal code |
| \`99990012\` | Test Beëindigd B.V. | not active, with its date of deregistration |
| \`00099990\` | Test Voorloopnullen V.O.F. | leading zeros, which must be kept |
| \`99990013\` | Test Vele Namen Holding B.V. | twelve trading names and twenty-five branches |
| \`99990014\` | Test Enkel Bekend | little is known: no activities and no VAT number, so an enriched lookup costs 1; its branches are NOT_HELD |
| \`99990015\` | Test Zonder Adres | no address is known: an empty object |
| \`99990017\` | Test Oude Gegevens B.V. | data of two years ago, as the live source has no answer now: see \`source.cachedAt\` |
| \`99990018\` | Test Vestigingen Onbereikbaar B.V. | the company is known, its branches answer UPSTREAM_ERROR |
| \`99993000\` | Test Traag B.V. | answers after three seconds |
`,
    vatNumbers: `
| VAT number | what it shows |
| --- | --- |
| \`NL999990007B01\` | valid, with name and address |
| \`DE999999100\` | valid, VIES withholds name and address |
| \`NL999990100B15\` | valid, the number of a sole trader (its check digits follow the rule of 2020) |
| \`NL999990019B01\` | not valid |
| \`NL999990020B01\` | stale: valid two days ago |
| \`NL999990201B76\` | stale: not valid a day ago |
| \`NL999990001B01\` | malformed: the Dutch checksum is wrong |
| \`DE12345678\` | malformed: a German number has nine digits |
| \`NL999990032B01\` | UPSTREAM_ERROR: VIES does not answer and nothing is held |
| \`NL999993000B08\` | valid, after three seconds |
| – | any other number: not valid |
| \`NL999990202B01\` | as \`requester\`: INVALID_REQUEST, as VIES refuses it; any other gives a \`consultationNumber\` |
`,
    errors: `
| KVK number | VAT number | code | status | what it shows |
| --- | --- | --- | --- | --- |
| \`99990404\` | – | \`NOT_FOUND\` | 404 | no company has it, nor any other number that is not here |
| \`99990403\` | \`NL999990403B04\` | \`FORBIDDEN\` | 403 | as for a suspended account |
| \`99990429\` | \`NL999990429B61\` | \`RATE_LIMIT_EXCEEDED\` | 429 | as over the calls of a minute: \`Retry-After\` to the end of the minute, \`X-RateLimit-Remaining: 0\` |
| \`99990430\` | \`NL999990430B52\` | \`QUOTA_EXCEEDED\` | 429 | as with the month's tokens spent: \`Retry-After\` to the reset, a day at most, \`X-Tokens-Remaining: 0\` |
| \`99990500\` | \`NL999990500B04\` | \`INTERNAL_ERROR\` | 500 | as when the service fails |
| \`99990502\` | \`NL999990502B83\` | \`UPSTREAM_ERROR\` | 502 | the registry's source, or VIES, has no answer |
| \`99990503\` | \`NL999990503B74\` | \`SERVICE_UNAVAILABLE\` | 503 | overload: \`Retry-After: 1\` |
`,
    queries: `
| what is typed | what it shows |
| --- | --- |
| \`test\` | many companies, more than a page |
| \`proefdeeg\` | found by a trading name: \`matchedName\` |
| \`testbakerij\` | found though misspelled: \`isFuzzy\` |
| \`niemand heet zo\` | nothing: 200 and an empty list |
| \`tienduizend\` | a search told as 10,000 with \`totalIsExact: false\` |
`,
  },
  nl: {
    companies: `
| KVK-nummer | naam | wat het laat zien |
| --- | --- | --- |
| \`99990001\` | Testbakkerij De Proef B.V. | alles wat bekend kan zijn; btw-nummer geldig |
| \`99990002\` | Test Fiscale Eenheid B.V. | btw-nummer afgeleid van het RSIN en door VIES geweigerd, zoals bij een fiscale eenheid |
| \`99990003\` | Test Eerder Antwoord B.V. | btw-oordeel \`stale\`: VIES antwoordt nu niet |
| \`99990004\` | Test Zonder Antwoord B.V. | btw-oordeel \`unvalidated\`: VIES antwoordt niet en er is niets eerders |
| \`99990005\` | Test Verkeerd Nummer N.V. | btw-nummer uit het register zelf, en \`malformed\` |
| \`99990006\` | Test Schilderwerken Proefpersoon | eenmanszaak: geen RSIN, btw-nummer uit het register zelf |
| \`99990007\` | Test Klussen Zonder Nummer | eenmanszaak zonder btw-nummer: geen \`vat\` |
| \`99990009\` | Test Afgeschermd Adres | afgeschermd adres: alleen plaats en land |
| \`99990010\` | Stichting Test Postbus | postbus; geen vestigingen: een lege lijst |
| \`99990011\` | Test Foreign Branch GmbH | adres in het buitenland: straat en nummer zoals opgegeven, geen postcode |
| \`99990012\` | Test Beëindigd B.V. | niet actief, met de datum van uitschrijving |
| \`00099990\` | Test Voorloopnullen V.O.F. | voorloopnullen, die moeten blijven staan |
| \`99990013\` | Test Vele Namen Holding B.V. | twaalf handelsnamen en vijfentwintig vestigingen |
| \`99990014\` | Test Enkel Bekend | weinig bekend: geen activiteiten en geen btw-nummer, zodat een uitgebreide opvraging 1 kost; de vestigingen zijn NOT_HELD |
| \`99990015\` | Test Zonder Adres | geen adres bekend: een leeg object |
| \`99990017\` | Test Oude Gegevens B.V. | gegevens van twee jaar terug, omdat de bron nu niet antwoordt: zie \`source.cachedAt\` |
| \`99990018\` | Test Vestigingen Onbereikbaar B.V. | het bedrijf is bekend, de vestigingen geven UPSTREAM_ERROR |
| \`99993000\` | Test Traag B.V. | antwoordt na drie seconden |
`,
    vatNumbers: `
| btw-nummer | wat het laat zien |
| --- | --- |
| \`NL999990007B01\` | geldig, met naam en adres |
| \`DE999999100\` | geldig, VIES verzwijgt naam en adres |
| \`NL999990100B15\` | geldig, het nummer van een eenmanszaak (de controlecijfers volgen de regel van 2020) |
| \`NL999990019B01\` | niet geldig |
| \`NL999990020B01\` | \`stale\`: twee dagen geleden geldig |
| \`NL999990201B76\` | \`stale\`: een dag geleden niet geldig |
| \`NL999990001B01\` | \`malformed\`: de Nederlandse controle klopt niet |
| \`DE12345678\` | \`malformed\`: een Duits nummer heeft negen cijfers |
| \`NL999990032B01\` | UPSTREAM_ERROR: VIES antwoordt niet en er is niets eerders |
| \`NL999993000B08\` | geldig, na drie seconden |
| – | elk ander nummer: niet geldig |
| \`NL999990202B01\` | als \`requester\`: INVALID_REQUEST, want VIES weigert het; elk ander geeft een \`consultationNumber\` |
`,
    errors: `
| KVK-nummer | btw-nummer | code | status | wat het laat zien |
| --- | --- | --- | --- | --- |
| \`99990404\` | – | \`NOT_FOUND\` | 404 | geen bedrijf heeft het, net als elk ander nummer dat hier niet staat |
| \`99990403\` | \`NL999990403B04\` | \`FORBIDDEN\` | 403 | als bij een opgeschort account |
| \`99990429\` | \`NL999990429B61\` | \`RATE_LIMIT_EXCEEDED\` | 429 | als boven de aanroepen per minuut: \`Retry-After\` tot het eind van de minuut, \`X-RateLimit-Remaining: 0\` |
| \`99990430\` | \`NL999990430B52\` | \`QUOTA_EXCEEDED\` | 429 | als met alle tokens van de maand op: \`Retry-After\` tot de eerste, hoogstens een dag, \`X-Tokens-Remaining: 0\` |
| \`99990500\` | \`NL999990500B04\` | \`INTERNAL_ERROR\` | 500 | als bij een fout van de dienst |
| \`99990502\` | \`NL999990502B83\` | \`UPSTREAM_ERROR\` | 502 | de bron van het register, of VIES, antwoordt niet |
| \`99990503\` | \`NL999990503B74\` | \`SERVICE_UNAVAILABLE\` | 503 | overbelasting: \`Retry-After: 1\` |
`,
    queries: `
| wat er getypt wordt | wat het laat zien |
| --- | --- |
| \`test\` | veel bedrijven, meer dan een pagina |
| \`proefdeeg\` | gevonden op een handelsnaam: \`matchedName\` |
| \`testbakerij\` | gevonden ondanks een spelfout: \`isFuzzy\` |
| \`niemand heet zo\` | niets: 200 en een lege lijst |
| \`tienduizend\` | een zoekopdracht met 10.000 als totaal en \`totalIsExact: false\` |
`,
  },
} as const;
