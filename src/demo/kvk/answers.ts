import type { JsonObject } from "../../lib/values.ts";
import type { Reply } from "../simulator/sending.ts";

/**
 * Errors by code, with a text about the requested number or parameter. The shapes of 400, 404 and 500 are recorded
 * responses of KVK; those of 401, 403 and 429 are assumptions, and texts that are not recorded are ours.
 */
const ERRORS: Readonly<Record<string, readonly [status: number, text: (requested: string) => string]>> = {
  IPD0001: [404, () => "Het gevraagde product bestaat niet."],
  IPD0004: [400, (requested) => `Het KVK-nummer ${requested} is niet valide.`],
  IPD0005: [
    404,
    (requested) => `Op basis van het KVK-nummer ${requested} kan het product niet worden geleverd.`,
  ],
  IPD0006: [400, (requested) => `Het vestigingsnummer ${requested} is niet valide.`],
  IPD0007: [
    404,
    (requested) => `Op basis van het vestigingsnummer ${requested} kan het product niet worden geleverd.`,
  ],
  IPD0010: [400, (requested) => `Het RSIN ${requested} is niet valide.`],
  IPD0015: [404, (requested) => `Voor het KVK-nummer ${requested} zijn geen open data beschikbaar.`],
  IPD1002: [404, () => "De gegevens worden verwerkt en zijn tijdelijk niet beschikbaar."],
  IPD1003: [404, () => "De gegevens zijn tijdelijk niet beschikbaar. Probeer het over 5 minuten opnieuw."],
  IPD1998: [400, () => "Een parameter is niet valide."],
  IPD1999: [400, (requested) => `De parameter ${requested} is niet valide.`],
  IPD5200: [404, () => "Er zijn geen gegevens gevonden die voldoen aan de opgegeven zoekparameters."],
  IPD9999: [500, () => "Algemene technische fout."],
};

/** An error, with the HTTP status that comes with its code (500 for an unknown one) unless another is given. */
export function errorAnswer(code: string, requested = "", status?: number): Reply {
  const [usual, text] = ERRORS[code] ?? [500, () => "Onbekende fout."];
  return { status: status ?? usual, body: { fout: [{ code, omschrijving: text(requested) }] } };
}

/** A response of the gateway before the products. Its body is not recorded: this is an assumption. */
export function gatewayAnswer(status: number): Reply {
  return { status, body: { status, message: "De aanroep is geweigerd." } };
}

/** A product, with the headers that name its version. */
export function found(body: JsonObject, version: string): Reply {
  return { status: 200, body, headers: { "content-type": "application/hal+json", "api-version": version } };
}
