import { type JsonObject, known } from "../../lib/values.ts";
import type { Reply } from "../simulator/sending.ts";

/** The id of the simulated subscription. */
export const SIMULATED_SUBSCRIPTION = "00000000-0000-4000-8000-000000000001";

const SIGNAL_TYPES = [
  "SignaalNieuweInschrijving",
  "SignaalGewijzigdeInschrijving",
  "SignaalGewijzigdeVestiging",
  "SignaalBeeindiging_2025_01",
  "SignaalRechtsvormwijziging_2025_01",
  "SignaalVoortzettingEnOverdracht_2025_01",
] as const;
export type SignalType = (typeof SIGNAL_TYPES)[number];

/** A signal as the list has it. The number's key is in lower case, unlike elsewhere. */
interface WireSignal {
  readonly id: string;
  /** ISO 8601 UTC */
  readonly timestamp: string;
  readonly kvknummer: string;
  readonly signaalType: string;
  readonly vestigingsnummer?: string;
}

export interface NewSignal {
  readonly kvkNumber: string;
  readonly type?: SignalType;
  readonly branchNumber?: string;
  /** When KVK registered the change, Unix milliseconds; now by default. */
  readonly atMs?: number;
}

const MIN_PAGE = 10;
const MAX_PAGE = 500;
const USUAL_PAGE = 100;

/** The signals of one subscription to the Mutatieservice, which tests add. */
export class Signals {
  readonly #signals: WireSignal[] = [];

  /** Adds a signal. @returns its id */
  add({
    kvkNumber,
    type = "SignaalGewijzigdeInschrijving",
    branchNumber,
    atMs = Date.now(),
  }: NewSignal): string {
    const id = `00000000-0000-4000-9000-${String(this.#signals.length + 1).padStart(12, "0")}`;
    this.#signals.push({
      id,
      timestamp: new Date(atMs).toISOString(),
      kvknummer: kvkNumber,
      signaalType: type,
      ...known("vestigingsnummer", branchNumber),
    });
    return id;
  }

  /** `GET /v1/abonnementen` and below. @param path after `/v1/abonnementen`, without its first slash */
  answer(path: string, query: URLSearchParams): Reply {
    if (path === "") {
      const subscription = {
        id: SIMULATED_SUBSCRIPTION,
        contract: { id: "1" },
        startDatum: "2026-01-01",
        actief: true,
      };
      return found({ klantId: "1", abonnementen: [subscription] });
    }
    const [id, part, signalId] = path.split("/");
    if (id !== SIMULATED_SUBSCRIPTION) return problemReply(404, "Het abonnement bestaat niet.");
    if (part === undefined) return this.#page(query);
    const signal = this.#signals.find((one) => one.id === signalId);
    return signal === undefined ? problemReply(404, "Het signaal bestaat niet.") : found(messageOf(signal));
  }

  #page(query: URLSearchParams): Reply {
    const pagina = Number(query.get("pagina") ?? 1);
    const aantal = Number(query.get("aantal") ?? USUAL_PAGE);
    const [fromMs, untilMs] = ["vanaf", "tot"].map((name) => momentOf(query.get(name)));
    if (Number.isNaN(fromMs) || Number.isNaN(untilMs))
      return problemReply(400, "vanaf of tot is geen datum en tijd.");
    if (!Number.isInteger(pagina) || pagina < 1) return problemReply(400, "pagina moet 1 of meer zijn.");
    if (!Number.isInteger(aantal) || aantal < MIN_PAGE || aantal > MAX_PAGE) {
      return problemReply(400, `aantal moet tussen ${MIN_PAGE} en ${MAX_PAGE} liggen.`);
    }
    const inPeriod = this.#signals.filter(({ timestamp }) => {
      const atMs = Date.parse(timestamp);
      return atMs >= (fromMs ?? Number.NEGATIVE_INFINITY) && atMs < (untilMs ?? Number.POSITIVE_INFINITY);
    });
    return found({
      pagina,
      aantal,
      totaal: inPeriod.length,
      totaalPaginas: Math.ceil(inPeriod.length / aantal),
      signalen: inPeriod.slice((pagina - 1) * aantal, pagina * aantal),
    });
  }
}

/** Unix milliseconds; undefined for an absent time, NaN for one that is not ISO 8601 with an offset. */
function momentOf(text: string | null): number | undefined {
  if (text === null) return undefined;
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(text)
    ? Date.parse(text)
    : Number.NaN;
}

/** A whole signal: it names the changed blocks, not their values. */
function messageOf({ id, timestamp, kvknummer, signaalType }: WireSignal): JsonObject {
  const registration = { registratieId: id, registratieTijdstip: timestamp };
  const about = { heeftBetrekkingOp: { kvkNummer: kvknummer } };
  return { signaal: { berichtId: id, ...registration, signaalType, ...about } };
}

function found(body: JsonObject): Reply {
  return { status: 200, body };
}

/** An error of the Mutatieservice, in the form of RFC 7807 without KVK's codes. The texts are ours. */
export function problemReply(status: number, detail: string): Reply {
  const body = { type: "about:blank", title: "Fout", status, detail };
  return { status, body, headers: { "content-type": "application/problem+json" } };
}
