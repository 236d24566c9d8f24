import { bilingual } from "../../language/bilingual.ts";

export const texts = bilingual({
  title: ["Usage", "Verbruik"],
  about: [
    "Calls by your keys and by this page, and what they cost. Calls of this page that are free aren’t counted. Days and months are in UTC.",
    "Aanroepen van uw sleutels en van deze pagina, en wat die kostten. Gratis aanroepen van deze pagina tellen niet mee. Dagen en maanden zijn in UTC.",
  ],
  month: ["This month", "Deze maand"],
  sessions: (sessions: string, calls: string) => [
    `Typing sessions: ${sessions}, 1 token each. Calls for suggestions in them: ${calls}.`,
    `Typesessies: ${sessions}, elk 1 token. Aanroepen voor suggesties daarin: ${calls}.`,
  ],
  byDay: ["By day", "Per dag"],
  byDayAbout: [
    "Each bar is a day; the colours show which calls were made.",
    "Elke staaf is een dag; de kleuren tonen het soort aanroep.",
  ],
  show: ["Show", "Tonen"],
  tokens: ["Tokens", "Tokens"],
  requests: ["Calls", "Aanroepen"],
  chart: (what: string) => [`${what} by day and type of call`, `${what} per dag en per soort aanroep`],
  asTable: ["Show as a table", "Als tabel tonen"],
  day: ["Day", "Dag"],
  operation: ["Type of call", "Soort aanroep"],
  byKey: ["By key", "Per sleutel"],
  key: ["Key", "Sleutel"],
  otherKeys: ["All other keys", "Overige sleutels"],
  testedCalls: ["Test calls", "Testaanroepen"],
  testedRange: (calls: string, tokens: string) => [
    `Test keys. Calls: ${calls}; test tokens: ${tokens}. They are counted separately and cost nothing.`,
    `Testsleutels. Aanroepen: ${calls}; testtokens: ${tokens}. Ze worden apart geteld en kosten niets.`,
  ],
  tested: (calls: string, tokens: string, limit: string) => [
    `Test keys. Calls: ${calls}; test tokens: ${tokens} of ${limit}. They are counted separately and cost nothing.`,
    `Testsleutels. Aanroepen: ${calls}; testtokens: ${tokens} van ${limit}. Ze worden apart geteld en kosten niets.`,
  ],
  failed: ["Failed", "Mislukt"],
  failures: ["Failed calls", "Mislukte aanroepen"],
  failuresAbout: [
    "They cost nothing. The last few seconds may be missing here.",
    "Ze kosten niets. De laatste seconden kunnen hier nog ontbreken.",
  ],
  toCalls: ["See recent calls", "Recente aanroepen bekijken"],
  byCaller: ["Error in the call", "Fout in de aanroep"],
  byCallerAbout: [
    "An unknown KVK number, invalid input, an endpoint that doesn’t exist, a key without access, or a suspended account.",
    "Een onbekend KVK-nummer, onjuiste invoer, een endpoint dat niet bestaat, een sleutel zonder toegang of een geblokkeerd account.",
  ],
  byService: ["Error on our side or at a source", "Fout bij ons of bij een bron"],
  byServiceAbout: [
    "Send these again later. The status page shows what is going on.",
    "Verstuur deze later opnieuw. Op de statuspagina staat wat er aan de hand is.",
  ],
  noneFailed: ["No failed calls this month.", "Geen mislukte aanroepen deze maand."],
  refused: ["Refused", "Geweigerd"],
  refusals: ["Refused calls", "Geweigerde aanroepen"],
  refusalsAbout: [
    "They cost nothing. A call is refused when you exceed the limit per minute or have too few tokens left; any other call without an answer counts as failed. Calls over the limit per minute aren’t included in “Calls”.",
    "Ze kosten niets. Een aanroep wordt geweigerd als u boven de limiet per minuut komt of te weinig tokens over hebt; elke andere aanroep zonder antwoord telt als mislukt. Aanroepen boven de limiet per minuut tellen niet mee onder ‘Aanroepen’.",
  ],
  byRate: ["Too many per minute", "Te veel per minuut"],
  byRateAbout: [
    "Spread your calls, or request a plan with a higher limit.",
    "Spreid uw aanroepen of vraag een abonnement met een hogere limiet aan.",
  ],
  byAllowance: ["Not enough tokens left", "Te weinig tokens over"],
  byAllowanceAbout: [
    "They work again next month or with a larger plan.",
    "Ze werken weer vanaf de nieuwe maand of met een groter abonnement.",
  ],
  noneRefused: ["No refused calls this month.", "Geen geweigerde aanroepen deze maand."],
  months: ["Last twelve months", "Laatste twaalf maanden"],
  monthColumn: ["Month", "Maand"],
  download: ["Download as CSV", "Downloaden als CSV"],
  downloadOf: (month: string) => [`Download ${month} as CSV`, `${month} downloaden als CSV`],
  none: [
    "No calls yet this month. Figures appear here after your first call.",
    "Nog geen aanroepen deze maand. Na uw eerste aanroep ziet u hier cijfers.",
  ],
  noneButTests: [
    "Only test keys were used this month. Figures appear here after the first call that isn’t a test.",
    "Deze maand zijn alleen testsleutels gebruikt. Na de eerste aanroep die geen test is, ziet u hier cijfers.",
  ],
  range: ["Custom period", "Andere periode"],
  rangeAbout: [
    "A period of up to a year (UTC), for all keys or for one.",
    "Een periode van maximaal een jaar (UTC), voor alle sleutels of voor één.",
  ],
  from: ["From", "Van"],
  to: ["Up to and including", "Tot en met"],
  allKeys: ["All keys", "Alle sleutels"],
  rangeWrong: [
    "Choose a start date on or before the end date, at most a year apart.",
    "Kies een begindatum op of vóór de einddatum, maximaal een jaar uit elkaar.",
  ],
  noneInRange: ["No calls in this period.", "Geen aanroepen in deze periode."],
  total: ["Total", "Totaal"],
  noneByKey: ["No calls this month.", "Nog geen aanroepen deze maand."],
  try: ["Try a call", "Aanroep uitproberen"],

  /** In the order of the service's file. */
  file: [
    "Day|Key ID|Key|Type of call|Calls|Tokens|Refused: too many per minute|Refused: not enough tokens|Failed: error in the call|Failed: error on our side|Typing sessions|Calls in typing sessions",
    "Dag|Sleutel-id|Sleutel|Soort aanroep|Aanroepen|Tokens|Geweigerd: te veel per minuut|Geweigerd: te weinig tokens|Mislukt: fout in de aanroep|Mislukt: fout bij ons|Typesessies|Aanroepen in typesessies",
  ],
  test: (title: string) => [`Test keys: ${title}`, `Testsleutels: ${title}`],
});
