import { MOST_FOLLOWERS, SESSION_SECONDS } from "../../../../src/contract/typingSession.ts";
import { bilingual } from "../../language/bilingual.ts";

export const limits = bilingual(
  {
    title: "Limits",
    about: "Calls a minute, tokens a month, and how to see them coming.",
    body: `
Two limits hold, both of your plan: the [overview](#/overview/tiers) lists the plans of this service.

- **Calls a minute** count for each key. The minute is the clock's. Over it calls are \`RATE_LIMIT_EXCEEDED\` and cost nothing.
- **Tokens a month** belong to the account; all its keys draw on them. The month begins on the 1st at 00:00 UTC. A call whose full price is not covered is
  \`QUOTA_EXCEEDED\`: nothing is done and nothing is charged.

Only what is delivered is charged. Errors and what is not found cost nothing; a search that finds nothing was a search, and costs its token.

## Every answer says what is left

| header | what it says |
|---|---|
| \`X-RateLimit-Limit\`, \`X-RateLimit-Remaining\` | calls that this key has a minute, and those left |
| \`X-RateLimit-Reset\` | when the minute ends, in Unix seconds |
| \`X-Tokens-Charged\` | what this call cost |
| \`X-Tokens-Remaining\` | tokens left this month, after this call |
| \`X-Tokens-Reset\` | when the next month begins, in Unix seconds |
| \`Retry-After\` | with 429 and 503: seconds to wait |

Asking for your [usage](#/calls/get-v1-usage) is free, though it is a call of the minute:

{{limits}}

## Staying within

- Slow down when \`X-RateLimit-Remaining\` nears 0 rather than run into 429.
- Suggestions while somebody types: send a \`session\` with [autocomplete](#/calls/get-v1-autocomplete), as below, and wait for a short pause, 150 ms for instance: each call is one of the minute.
- Many numbers: [a batch](#/guides/lists) is one call of the minute.

## Typing is paid for once

Make up a \`session\` when somebody begins to type in a field, 16 to 64 of the characters \`A-Z\`, \`a-z\`, \`0-9\`, \`_\` and \`-\`, such as a random UUID, and send it with
each call of autocomplete until they have chosen. The first call that is delivered costs 1 token. Those with the same key that follow within ${SESSION_SECONDS / 60} minutes of it, ${MOST_FOLLOWERS} at most, cost 0, also when no token is left. One more, or
one later, begins the session anew and costs 1. A call that fails begins none. \`X-Tokens-Charged\` says what each call cost, and your [usage](#/calls/get-v1-usage) counts \`sessions\` and \`sessionCalls\`.
`,
  },
  {
    title: "Limieten",
    about: "Aanroepen per minuut, tokens per maand, en hoe u ze ziet aankomen.",
    body: `
Er gelden twee limieten, allebei van uw abonnement: het [overzicht](#/overview/tiers) noemt de abonnementen van deze dienst.

- **Aanroepen per minuut** tellen per sleutel. De minuut is die van de klok. Daarboven krijgt u \`RATE_LIMIT_EXCEEDED\`, en dat kost niets.
- **Tokens per maand** horen bij het account; alle sleutels gebruiken dezelfde. De maand begint op de 1e om 00:00 UTC. Is de volle prijs van een
  aanroep niet gedekt, dan is het \`QUOTA_EXCEEDED\`: er gebeurt niets en er wordt niets afgerekend.

U betaalt alleen voor wat geleverd is. Fouten en wat niet gevonden is kosten niets; zoeken zonder resultaat is wel gezocht en kost een token.

## Elk antwoord zegt wat er over is

| header | wat die zegt |
|---|---|
| \`X-RateLimit-Limit\`, \`X-RateLimit-Remaining\` | aanroepen die deze sleutel per minuut heeft, en hoeveel er over zijn |
| \`X-RateLimit-Reset\` | wanneer de minuut om is, in Unix-seconden |
| \`X-Tokens-Charged\` | wat deze aanroep kostte |
| \`X-Tokens-Remaining\` | tokens die deze maand over zijn, na deze aanroep |
| \`X-Tokens-Reset\` | wanneer de volgende maand begint, in Unix-seconden |
| \`Retry-After\` | bij 429 en 503: hoeveel seconden u wacht |

Uw [verbruik](#/calls/get-v1-usage) opvragen is gratis, maar telt als aanroep van de minuut:

{{limits}}

## Erbinnen blijven

- Ga langzamer als \`X-RateLimit-Remaining\` bijna 0 is, in plaats van op 429 te wachten.
- Suggesties tijdens het typen: stuur een \`session\` mee met [autocomplete](#/calls/get-v1-autocomplete), zoals hieronder, en wacht op een korte pauze, bijvoorbeeld 150 ms: elke aanroep telt mee voor de minuut.
- Veel nummers: [een batch](#/guides/lists) is één aanroep van de minuut.

## Typen betaalt u één keer

Verzin een \`session\` zodra iemand in een veld begint te typen: 16 tot 64 van de tekens \`A-Z\`, \`a-z\`, \`0-9\`, \`_\` en \`-\`, zoals een willekeurige UUID. Stuur die mee met
elke aanroep van autocomplete tot er gekozen is. De eerste aanroep die geleverd wordt kost 1 token. Die met dezelfde sleutel binnen ${SESSION_SECONDS / 60} minuten daarna, hooguit ${MOST_FOLLOWERS}, kosten 0, ook als er geen token over is. Eén meer, of een
latere, begint de sessie opnieuw en kost 1. Een aanroep die mislukt begint er geen. \`X-Tokens-Charged\` zegt wat elke aanroep kostte, en uw [verbruik](#/calls/get-v1-usage) telt \`sessions\` en \`sessionCalls\`.
`,
  },
);
