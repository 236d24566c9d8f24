import { bilingual } from "../../language/bilingual.ts";

export const texts = bilingual(
  {
    title: "Calls",
    about: (most: string, days: string) =>
      `How your calls of the last ${days} days went, the latest ${most} at most. What was asked is not kept. Under heavy load calls may be missing here; Usage counts every one.`,
    list: "Recent calls",
    one: "1 call",
    count: (total: string) => `${total} calls`,
    off: "The operator of this service has switched this list off. Usage still counts every call.",
    none: "No call yet. The first one appears here within seconds.",
    noneKept: "No call could be recorded.",
    leftOut: (count: string) =>
      `At least ${count} calls are missing from this list: there were too many at once, or the service was too busy to record them. Usage counts every one.`,
    noneFits: "No call fits this choice.",
    refresh: "Refresh",
    key: "Key",
    status: "Status",
    operation: "Type of call",
    all: "All",
    statuses: {
      "2xx": "2xx · delivered",
      "4xx": "4xx · error in the call, or refused",
      "5xx": "5xx · failed",
    },
    columns: {
      at: "Time",
      key: "Key",
      operation: "Type of call",
      status: "Status",
      tokens: "Tokens",
      ms: "Time taken",
      request: "Request",
    },
    ms: (figure: string) => `${figure} ms`,
    pages: "Pages of calls",
  },
  {
    title: "Aanroepen",
    about: (most, days) =>
      `Hoe uw aanroepen van de laatste ${days} dagen gingen, maximaal de laatste ${most}. Wat er gevraagd werd, wordt niet bewaard. Bij grote drukte kunnen hier aanroepen ontbreken; Verbruik telt ze allemaal.`,
    list: "Recente aanroepen",
    one: "1 aanroep",
    count: (total) => `${total} aanroepen`,
    off: "De beheerder van deze dienst heeft deze lijst uitgezet. Verbruik telt wel elke aanroep.",
    none: "Nog geen aanroep. De eerste staat hier binnen enkele seconden.",
    noneKept: "Er kon geen aanroep worden vastgelegd.",
    leftOut: (count) =>
      `Minstens ${count} aanroepen ontbreken in deze lijst: het waren er te veel tegelijk, of de dienst was te druk om ze vast te leggen. Verbruik telt ze allemaal.`,
    noneFits: "Geen aanroep past bij deze keuze.",
    refresh: "Vernieuwen",
    key: "Sleutel",
    status: "Status",
    operation: "Soort aanroep",
    all: "Alle",
    statuses: {
      "2xx": "2xx · geleverd",
      "4xx": "4xx · fout in de aanroep, of geweigerd",
      "5xx": "5xx · mislukt",
    },
    columns: {
      at: "Tijdstip",
      key: "Sleutel",
      operation: "Soort aanroep",
      status: "Status",
      tokens: "Tokens",
      ms: "Duur",
      request: "Verzoek",
    },
    ms: (figure) => `${figure} ms`,
    pages: "Pagina's met aanroepen",
  },
);
