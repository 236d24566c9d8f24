import { bilingual } from "../../language/bilingual.ts";

export const errors = bilingual(
  {
    title: "Errors and retries",
    about: "One form for every error, and which of them are worth another try.",
    body: `
Every answer that is no success is \`{"error": {"code", "message"}}\`. Branch on \`code\`; \`message\` is for people, says what to do and
may change. No error costs tokens. All codes stand in the [overview](#/overview/errors).

## What to try again

| code | status | what to do |
|---|---|---|
| \`RATE_LIMIT_EXCEEDED\` | 429 | wait for \`Retry-After\` seconds: the minute ends then |
| \`SERVICE_UNAVAILABLE\` | 503 | wait for \`Retry-After\` seconds |
| \`UPSTREAM_ERROR\` | 502 | the registry or VIES has no answer now: try a few times, with growing pauses, or later |
| \`INTERNAL_ERROR\` | 500 | try a few times; if it stays, send the \`X-Request-Id\` to the operator of this service |
| \`QUOTA_EXCEEDED\` | 429 | do not wait: the month's tokens are used up. Request a larger plan, or continue next month |
| \`CONFLICT\` | 409 | with \`Retry-After\`: wait, and send the same call with the same \`Idempotency-Key\`; without: the key was used for another call, take a new one |
| all others | 400–416 | do not try again: change the call first |

Give every call a deadline of its own, 20 seconds for instance: an answer that waits for VIES or KVK may take some.

{{retry}}

## An outage is never a no

When VIES or the registry cannot answer you get an error, or an earlier answer that says so (\`stale\`). You never get
\`valid: false\` or "not found" for it. Do the same in your own program: keep "no" and "not known now" apart.

## An answer that was lost

A call that the service answered was charged, even when the answer got lost on its way to you. Send an \`Idempotency-Key\` with each call that has a price, a new random UUID for each call and the same one for all its tries: the same call with the same key within
24 hours is told that answer and costs nothing, with \`Idempotency-Replayed: true\`. Without one a second try costs its tokens again.
`,
  },
  {
    title: "Fouten en opnieuw proberen",
    about: "Eén vorm voor elke fout, en welke een nieuwe poging waard zijn.",
    body: `
Elk antwoord dat geen succes is, is \`{"error": {"code", "message"}}\`. Laat uw programma kiezen op \`code\`; \`message\` is voor mensen,
zegt wat u kunt doen en kan veranderen. Geen enkele fout kost tokens. Alle codes staan in het [overzicht](#/overview/errors).

## Wat u opnieuw kunt proberen

| code | status | wat te doen |
|---|---|---|
| \`RATE_LIMIT_EXCEEDED\` | 429 | wacht \`Retry-After\` seconden: dan is de minuut om |
| \`SERVICE_UNAVAILABLE\` | 503 | wacht \`Retry-After\` seconden |
| \`UPSTREAM_ERROR\` | 502 | het register of VIES geeft nu geen antwoord: probeer het een paar keer met langere pauzes, of later |
| \`INTERNAL_ERROR\` | 500 | probeer het een paar keer; blijft het, geef de beheerder dan de \`X-Request-Id\` |
| \`QUOTA_EXCEEDED\` | 429 | wacht niet: de tokens van de maand zijn op. Vraag een groter abonnement aan of ga volgende maand verder |
| \`CONFLICT\` | 409 | met \`Retry-After\`: wacht, en stuur dezelfde aanroep met dezelfde \`Idempotency-Key\`; zonder: die is al voor een andere aanroep gebruikt, neem een nieuwe |
| alle andere | 400–416 | probeer het niet opnieuw: verander eerst de aanroep |

Geef elke aanroep een eigen tijdslimiet, bijvoorbeeld 20 seconden: een antwoord dat op VIES of KVK wacht kan even duren.

{{retry}}

## Een storing is nooit een nee

Kunnen VIES of het register niet antwoorden, dan krijgt u een fout, of een eerder antwoord dat zegt dat het verouderd is (\`stale\`). U
krijgt er nooit \`valid: false\` of "niet gevonden" voor. Doe dat in uw eigen programma ook: houd "nee" en "nu niet bekend" uit elkaar.

## Een antwoord dat kwijtraakt

Een aanroep die de dienst heeft beantwoord is afgerekend, ook als het antwoord onderweg naar u kwijtraakt. Stuur een \`Idempotency-Key\` mee met elke aanroep die tokens kost: per aanroep een nieuwe willekeurige UUID, en dezelfde voor al haar pogingen. Dezelfde aanroep met dezelfde \`Idempotency-Key\` krijgt binnen
24 uur datzelfde antwoord en kost niets, met \`Idempotency-Replayed: true\`. Zonder kost een tweede poging opnieuw tokens.
`,
  },
);
