import { bilingual } from "../../language/bilingual.ts";

export const texts = bilingual({
  title: ["Calls", "Aanroepen"],
  about: (most: string, days: string) => [
    `Your calls of the last ${days} days and their results, at most the latest ${most}. The content of requests is not stored. Under heavy load some calls may be missing here; Usage counts every one.`,
    `Uw aanroepen van de laatste ${days} dagen en hun resultaat, maximaal de laatste ${most}. De inhoud van verzoeken wordt niet bewaard. Bij grote drukte kunnen hier aanroepen ontbreken; Verbruik telt ze allemaal.`,
  ],
  list: ["Recent calls", "Recente aanroepen"],
  one: ["1 call", "1 aanroep"],
  count: (total: string) => [`${total} calls`, `${total} aanroepen`],
  off: [
    "The operator of this service has switched this list off. Usage still counts every call.",
    "De beheerder van deze dienst heeft deze lijst uitgezet. Verbruik telt wel elke aanroep.",
  ],
  none: [
    "No calls yet. The first one appears here within seconds.",
    "Nog geen aanroepen. De eerste staat hier binnen enkele seconden.",
  ],
  noneKept: ["No calls could be recorded.", "Er konden geen aanroepen worden vastgelegd."],
  leftOut: (count: string) => [
    `At least ${count} calls are missing from this list: there were too many at once, or the service was too busy to record them. Usage counts every one.`,
    `Minstens ${count} aanroepen ontbreken in deze lijst: het waren er te veel tegelijk, of de dienst was te druk om ze vast te leggen. Verbruik telt ze allemaal.`,
  ],
  noneFits: ["No calls match these filters.", "Geen aanroepen gevonden met deze filters."],
  refresh: ["Refresh", "Vernieuwen"],
  key: ["Key", "Sleutel"],
  status: ["Status", "Status"],
  operation: ["Type of call", "Soort aanroep"],
  all: ["All", "Alle"],
  statuses: {
    "2xx": ["2xx · successful", "2xx · geslaagd"],
    "4xx": ["4xx · error in the call, or refused", "4xx · fout in de aanroep, of geweigerd"],
    "5xx": ["5xx · failed", "5xx · mislukt"],
  },
  columns: {
    at: ["Time", "Tijdstip"],
    key: ["Key", "Sleutel"],
    operation: ["Type of call", "Soort aanroep"],
    status: ["Status", "Status"],
    tokens: ["Tokens", "Tokens"],
    ms: ["Duration", "Duur"],
    request: ["Request ID", "Verzoek-id"],
  },
  ms: (figure: string) => [`${figure} ms`, `${figure} ms`],
  pages: ["Pages of calls", "Pagina's met aanroepen"],
});
