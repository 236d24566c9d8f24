import { bilingual } from "../../language/bilingual.ts";

export const texts = bilingual(
  {
    title: "Calls",
    about: (most: string, days: string) =>
      `Your calls of the last ${days} days and their results, at most the latest ${most}. The content of requests is not stored. Under heavy load some calls may be missing here; Usage counts every one.`,
    list: "Recent calls",
    one: "1 call",
    count: (total: string) => `${total} calls`,
    off: "The operator of this service has switched this list off. Usage still counts every call.",
    none: "No calls yet. The first one appears here within seconds.",
    noneKept: "No calls could be recorded.",
    leftOut: (count: string) =>
      `At least ${count} calls are missing from this list: there were too many at once, or the service was too busy to record them. Usage counts every one.`,
    noneFits: "No calls match these filters.",
    refresh: "Refresh",
    key: "Key",
    status: "Status",
    operation: "Type of call",
    all: "All",
    statuses: {
      "2xx": "2xx · successful",
      "4xx": "4xx · error in the call, or refused",
      "5xx": "5xx · failed",
    },
    columns: {
      at: "Time",
      key: "Key",
      operation: "Type of call",
      status: "Status",
      tokens: "Tokens",
      ms: "Duration",
      request: "Request ID",
    },
    ms: (figure: string) => `${figure} ms`,
    pages: "Pages of calls",
  },
  {
    title: "Aanroepen",
    about: (most, days) =>
      `Uw aanroepen van de laatste ${days} dagen en hun resultaat, maximaal de laatste ${most}. De inhoud van verzoeken wordt niet bewaard. Bij grote drukte kunnen hier aanroepen ontbreken; Verbruik telt ze allemaal.`,
    list: "Recente aanroepen",
    one: "1 aanroep",
    count: (total) => `${total} aanroepen`,
    off: "De beheerder van deze dienst heeft deze lijst uitgezet. Verbruik telt wel elke aanroep.",
    none: "Nog geen aanroepen. De eerste staat hier binnen enkele seconden.",
    noneKept: "Er konden geen aanroepen worden vastgelegd.",
    leftOut: (count) =>
      `Minstens ${count} aanroepen ontbreken in deze lijst: het waren er te veel tegelijk, of de dienst was te druk om ze vast te leggen. Verbruik telt ze allemaal.`,
    noneFits: "Geen aanroepen gevonden met deze filters.",
    refresh: "Vernieuwen",
    key: "Sleutel",
    status: "Status",
    operation: "Soort aanroep",
    all: "Alle",
    statuses: {
      "2xx": "2xx · geslaagd",
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
      request: "Verzoek-id",
    },
    ms: (figure) => `${figure} ms`,
    pages: "Pagina's met aanroepen",
  },
);
