import type { Reply } from "../transport.ts";

interface Known {
  readonly status: number;
  /** What it says of `number`. Texts that are not recorded are ours. */
  readonly text: (number: string) => string;
}

const ERRORS: Readonly<Record<string, Known>> = {
  IPD0001: { status: 404, text: () => "Het gevraagde product bestaat niet." },
  IPD0004: { status: 400, text: (number) => `Het KVK-nummer ${number} is niet valide.` },
  IPD0005: {
    status: 404,
    text: (number) => `Op basis van het KVK-nummer ${number} kan het product niet worden geleverd.`,
  },
  IPD0006: { status: 400, text: (number) => `Het vestigingsnummer ${number} is niet valide.` },
  IPD0007: {
    status: 404,
    text: (number) => `Op basis van het vestigingsnummer ${number} kan het product niet worden geleverd.`,
  },
  IPD0010: { status: 400, text: (number) => `Het RSIN ${number} is niet valide.` },
  IPD1002: { status: 404, text: () => "De gegevens worden verwerkt en zijn tijdelijk niet beschikbaar." },
  IPD1003: {
    status: 404,
    text: () => "De gegevens zijn tijdelijk niet beschikbaar. Probeer het over 5 minuten opnieuw.",
  },
  IPD1998: { status: 400, text: () => "Een parameter is niet valide." },
  IPD1999: { status: 400, text: (name) => `De parameter ${name} is niet valide.` },
  IPD5200: {
    status: 404,
    text: () => "Er zijn geen gegevens gevonden die voldoen aan de opgegeven zoekparameters.",
  },
  IPD5203: { status: 404, text: () => "Het opgegeven type is niet valide." },
  IPD9999: { status: 500, text: () => "Algemene technische fout." },
};

/** Every code that is known. */
export const ERROR_CODES = Object.keys(ERRORS);

/** An error with the HTTP status that KVK gives to its code (500 to one that nobody knows) unless another is wanted. */
export function errorAnswer(code: string, number = "", status?: number): Reply {
  const known = Object.hasOwn(ERRORS, code) ? ERRORS[code] : undefined;
  const omschrijving = known?.text(number) ?? "Onbekende fout.";
  return { status: status ?? known?.status ?? 500, body: { fout: [{ code, omschrijving }] } };
}

/** What the gateway before KVK's products says itself. Not recorded: the body is an assumption. */
export function gatewayAnswer(status: number): Reply {
  return { status, body: { status, message: "De aanroep is geweigerd." } };
}

/** An answer of a product, with the headers by which KVK tells its version. */
export function found(body: Readonly<Record<string, unknown>>, version: string): Reply {
  return { status: 200, body, headers: { "content-type": "application/hal+json", "api-version": version } };
}
