import { timingSafeEqual } from "node:crypto";
import type { CompanyFacts } from "../../company/facts.ts";
import type { ActiveFault } from "../simulator/faults.ts";
import { type Count, emptyCount, Ledger } from "../simulator/ledger.ts";
import { type Outgoing, type Reply, sendReply } from "../simulator/sending.ts";
import {
  type CallPlan,
  type Incoming,
  type ListenOptions,
  type Simulator,
  startSimulator,
} from "../simulator/simulator.ts";
import { errorAnswer, found, gatewayAnswer } from "./answers.ts";
import {
  type Fault,
  type FaultTarget,
  type OwnFault,
  openFaultBoard,
  respond,
  type ServedProduct,
} from "./faults.ts";
import { withBaseUrl, withoutGeoData } from "./json.ts";
import { type OpenDataChange, openDataAnswer } from "./openData.ts";
import { Register } from "./register.ts";
import { searchReply } from "./search.ts";
import { problemReply, Signals } from "./signals.ts";

const BASE_PATH = "/api";
/** The key that a simulator accepts by default. It is of no use anywhere else. */
export const SIMULATED_KVK_KEY = "simulated-kvk-key";
const MAX_LOGGED = 10_000;
const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;

export interface KvkSimulatorOptions extends ListenOptions {
  readonly apiKey?: string;
  /** Calls per second above which the response is 429; 100 by default, as documented by KVK. */
  readonly perSecond?: number;
  /** Calls for open data per minute above which the response is 429; 1 by default, as documented by KVK. */
  readonly openDataPerMinute?: number;
  /** The companies, besides the odd ones. */
  readonly companies?: Iterable<CompanyFacts>;
}

/** Requests so far, in total and by product, including those without a good key. */
interface Counts {
  readonly all: Count;
  readonly products: Readonly<Record<ServedProduct, Count>>;
  /** The most requests within one second. */
  readonly maxPerSecond: number;
}

interface LoggedRequest {
  readonly at: string;
  readonly product: ServedProduct;
  /** The number in the path, or the query. */
  readonly requested: string;
  /** The kind of fault that the request met last. */
  readonly fault?: string;
}

/** A running simulator of KVK; its address is for `KVK_API_URL`. It keeps the last 10,000 requests. */
export interface KvkSimulator extends Simulator<FaultTarget, Fault, Counts, LoggedRequest> {
  readonly apiKey: string;
  /** For `KVK_OPEN_DATA_URL`. */
  readonly openDataUrl: string;
  readonly register: Register;
  /** The subscription to the Mutatieservice, with the id `SIMULATED_SUBSCRIPTION`. */
  readonly signals: Signals;
  /** Changes the open data of a company. */
  setOpenData(kvkNumber: string, change: OpenDataChange): void;
}

const PATHS: readonly (readonly [product: ServedProduct, path: RegExp])[] = [
  ["zoeken", /^\/v2\/zoeken$/],
  ["vestigingen", /^\/v1\/basisprofielen\/([^/]*)\/vestigingen$/],
  ["basisprofiel", /^\/v1\/basisprofielen\/([^/]*)$/],
  ["vestigingsprofiel", /^\/v1\/vestigingsprofielen\/([^/]*)$/],
  ["abonnementen", /^\/v1\/abonnementen\/?([^/]*(?:\/signalen\/[^/]+)?)$/],
  ["open-data", /^\/v1\/hvds\/basisbedrijfsgegevens\/kvknummer\/([^/]*)$/],
];

/** Starts a simulator of KVK. @throws when it cannot listen on the address */
export async function startKvkSimulator(options: KvkSimulatorOptions = {}): Promise<KvkSimulator> {
  const { apiKey = SIMULATED_KVK_KEY, perSecond = 100, openDataPerMinute = 1, companies } = options;
  const register = new Register(companies);
  const signals = new Signals();
  const openData = new Map<string, OpenDataChange>();
  const ledger = new Ledger<ServedProduct, LoggedRequest>(MAX_LOGGED);
  let lastSecond: readonly number[] = [];
  let lastMinute: readonly number[] = [];
  let maxPerSecond = 0;

  /** Answers a call for open data, which needs no key and has its own limit. */
  const answerOpenData = (
    outgoing: Outgoing,
    kvkNumber: string,
    fault: ActiveFault | OwnFault | undefined,
  ) => {
    const nowMs = performance.now();
    lastMinute = [...lastMinute.filter((at) => nowMs - at < MINUTE_MS), nowMs];
    if (lastMinute.length > openDataPerMinute) {
      return sendReply(outgoing, { ...gatewayAnswer(429), headers: { "retry-after": "60" } });
    }
    return respond(outgoing, openDataAnswer(register, kvkNumber, openData.get(kvkNumber)), fault);
  };

  const route = ({ request, method, path }: Incoming): CallPlan<FaultTarget, OwnFault> | Reply => {
    const url = new URL(request.url ?? "/", `http://${request.headers.host ?? "localhost"}`);
    const [product, pattern] = PATHS.find(([, pattern]) => pattern.test(path)) ?? [];
    if (product === undefined || pattern === undefined || method !== "GET") return gatewayAnswer(404);
    const requested = pattern.exec(path)?.[1] ?? url.search;
    const nowMs = performance.now();
    if (product !== "open-data") lastSecond = [...lastSecond.filter((at) => nowMs - at < SECOND_MS), nowMs];
    const inLastSecond = lastSecond.length;
    maxPerSecond = Math.max(maxPerSecond, inLastSecond);
    return {
      targets: [product, "*"],
      leave: ledger.enter(product),
      log: (fault) =>
        ledger.write({
          at: new Date().toISOString(),
          product,
          requested,
          ...(fault !== undefined && { fault }),
        }),
      answer: (outgoing, fault) => {
        if (product === "open-data") return answerOpenData(outgoing, requested, fault);
        const { apikey, accept = "*/*" } = request.headers;
        if (!isSame(String(apikey), apiKey)) return sendReply(outgoing, gatewayAnswer(401));
        if (inLastSecond > perSecond) return sendReply(outgoing, gatewayAnswer(429));
        if (!/\*\/\*|application\/(hal\+)?json/.test(accept)) return sendReply(outgoing, gatewayAnswer(406));
        if (product === "abonnementen") {
          const errorOf = (code: string, status = 500) => problemReply(status, code);
          return respond(outgoing, signals.answer(requested, url.searchParams), fault, errorOf);
        }
        const reply = replyTo(register, product, requested);
        const body = withBaseUrl(reply.body, url.origin + BASE_PATH);
        const hasGeoData = url.searchParams.get("geoData") === "true";
        return respond(outgoing, { ...reply, body: hasGeoData ? body : withoutGeoData(body) }, fault);
      },
    };
  };

  const counts = (): Counts => {
    const { groups } = ledger;
    const countOf = (product: ServedProduct): Count => groups[product] ?? emptyCount();
    return {
      all: ledger.all,
      products: {
        zoeken: countOf("zoeken"),
        basisprofiel: countOf("basisprofiel"),
        vestigingen: countOf("vestigingen"),
        vestigingsprofiel: countOf("vestigingsprofiel"),
        abonnementen: countOf("abonnementen"),
        "open-data": countOf("open-data"),
      },
      maxPerSecond,
    };
  };
  const board = openFaultBoard();
  const terms = { basePath: BASE_PATH, board, counts, log: () => ledger.log, route };
  const started = await startSimulator(terms, options);
  return Object.assign(started, {
    apiKey,
    openDataUrl: new URL(started.url).origin,
    register,
    signals,
    setOpenData: (kvkNumber: string, change: OpenDataChange) => void openData.set(kvkNumber, change),
  });
}

function isSame(given: string, key: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(key)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** The response of KVK, with its links relative to the base address. */
function replyTo(register: Register, product: ServedProduct, requested: string): Reply {
  if (product === "zoeken") return searchReply(register, new URLSearchParams(requested));
  if (product === "vestigingsprofiel") {
    if (!/^[0-9]{12}$/.test(requested)) return errorAnswer("IPD0006", requested);
    const profile = register.ofBranch(requested)?.wire.vestigingsprofielen[requested];
    return profile === undefined ? errorAnswer("IPD0007", requested) : found(profile, "1.5.0");
  }
  if (!/^[0-9]{8}$/.test(requested)) return errorAnswer("IPD0004", requested);
  const code = register.errorOf(requested);
  if (code !== undefined) return errorAnswer(code, requested);
  const wire = register.company(requested)?.wire;
  const body = product === "vestigingen" ? wire?.vestigingen : wire?.basisprofiel;
  return body === undefined ? errorAnswer("IPD0005", requested) : found(body, "1.5.0");
}
