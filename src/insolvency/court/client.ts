import { known } from "../../lib/values.ts";
import type { XmlElement } from "../../lib/xml.ts";
import { Breakers, type GuardedPart, type ShownBreaker } from "../../upstream/breakers.ts";
import { trusting } from "../../upstream/certificates.ts";
import { GuardedClient } from "../../upstream/guardedClient.ts";
import { type HttpPool, openHttpPool } from "../../upstream/pool.ts";
import type { Court, CourtAnswer, CourtCase, CourtList, RemovedCase } from "../types.ts";
import { type CourtScope, ENDED_HERE, NO_RESPONSES } from "./failures.ts";
import { type CaseOddities, readCase } from "./readCase.ts";
import { readReferences, readRemovals } from "./readLists.ts";
import { contentTypeOf, envelopeOf, type Login, type Operation, type Reply, readReply } from "./soap.ts";

export interface CourtAccess extends Login {
  /** `https://webservice.rechtspraak.nl/cir.asmx` */
  readonly url: string;
  /** PEM of additional trusted root certificates: the court uses a private root. */
  readonly extraCertificates?: string | undefined;
}

export interface CourtClientOptions extends CaseOddities {
  readonly access: CourtAccess;
  /** Time limit of a call, milliseconds. */
  readonly callWithinMs?: number;
  /** Called when the breaker opens or closes. */
  readonly onChange?: (isOpen: boolean, reason: string) => void;
  /** Called after each call with the kind of its result. */
  readonly onTried?: (operation: Operation, outcome: Reply["kind"]) => void;
  /** A monotonic clock of the breaker, milliseconds. */
  readonly elapsed?: () => number;
}

const MAX_LIST_BYTES = 64 * 1024 * 1024;
const MAX_CASE_BYTES = 4 * 1024 * 1024;
/** The list of all cases takes minutes. */
const CALL_WITHIN_MS = 300_000;
const MAX_CONCURRENT = 2;
const MAX_QUEUED = 100;
const PARTS: readonly GuardedPart<CourtScope>[] = [
  {
    name: "court",
    failures: 3,
    openForMs: 60_000,
    maxOpenForMs: 1_800_000,
    failedBy: ["court"],
    clearedBy: ["answer"],
  },
];

/**
 * The court's web service: at most two calls at once, without retries, and none while its breaker is open. Never
 * rejects.
 */
export class CourtClient implements Court {
  readonly #options: CourtClientOptions;
  readonly #pool: HttpPool;
  readonly #breakers: Breakers<Operation, CourtScope>;
  readonly #client: GuardedClient<Operation, CourtScope, Reply>;

  /** @throws {OperatorError} when the certificates cannot be read */
  constructor(options: CourtClientOptions) {
    const { access, callWithinMs = CALL_WITHIN_MS, elapsed, onChange, onTried } = options;
    this.#options = options;
    this.#pool = openHttpPool({ maxBytes: MAX_LIST_BYTES, ...trusting(access.extraCertificates, "CIR_CA") });
    this.#breakers = new Breakers(PARTS, {
      ...known("now", elapsed),
      onChange: (_, isOpen, reason) => onChange?.(isOpen, reason),
    });
    this.#client = new GuardedClient<Operation, CourtScope, Reply>({
      breakers: this.#breakers,
      atOnce: MAX_CONCURRENT,
      maxQueued: MAX_QUEUED,
      maxRetries: 0,
      callWithinMs,
      onTried: (operation, { kind }) => onTried?.(operation, kind),
      results: ENDED_HERE,
    });
  }

  /** The breaker, for metrics. */
  get shown(): ShownBreaker {
    return { what: "court", isOpen: !this.#breakers.permits("getCase") };
  }

  /** `down` while its breaker counts as failing. */
  get health(): "up" | "down" {
    return this.#breakers.failing.isShared ? "down" : "up";
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  modifiedSince(moment: string, signal: AbortSignal): Promise<CourtAnswer<CourtList<string>>> {
    return this.#list("searchModifiedSince", moment, signal, readReferences);
  }

  removedSince(moment: string, signal: AbortSignal): Promise<CourtAnswer<CourtList<RemovedCase>>> {
    return this.#list("searchRemovedSince", moment, signal, readRemovals);
  }

  async caseOf(publication: string, signal: AbortSignal): Promise<CourtAnswer<CourtCase | "private">> {
    const reply = await this.#ask("getCase", publication, signal);
    if (reply.kind === "none") return { kind: "none" };
    if (reply.kind !== "found") return reply;
    return readCase(reply.content, publication, this.#options);
  }

  /** A list. The court has a code for an empty one, which has its date too. */
  async #list<Item>(
    operation: Operation,
    moment: string,
    signal: AbortSignal,
    read: (content: XmlElement) => Promise<CourtAnswer<CourtList<Item>>>,
  ): Promise<CourtAnswer<CourtList<Item>>> {
    const isDay = /^\d{4}-\d{2}-\d{2}$/.test(moment);
    const reply = await this.#ask(operation, isDay ? `${moment}T00:00:00` : moment, signal);
    return reply.kind === "found" || reply.kind === "none" ? read(reply.content) : reply;
  }

  #ask(operation: Operation, argument: string, deadline: AbortSignal): Promise<Reply> {
    const { access } = this.#options;
    return this.#client.ask(operation, deadline, (send) =>
      send(async (signal) => {
        const response = await this.#pool.ask(access.url, {
          method: "POST",
          headers: { "content-type": contentTypeOf(operation), accept: "application/soap+xml, text/xml" },
          body: envelopeOf(operation, argument, access),
          ...(operation === "getCase" && { maxBytes: MAX_CASE_BYTES }),
          signal,
        });
        return response.kind === "response" ? readReply(response, operation) : NO_RESPONSES[response.kind];
      }),
    );
  }
}
