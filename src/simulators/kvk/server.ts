import { timingSafeEqual } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { CompanyFacts } from "../../company/facts.ts";
import type { Product } from "../../kvk/api/words.ts";
import { readBody } from "../body.ts";
import { control } from "../control.ts";
import { type ListenOptions, startListening } from "../listening.ts";
import { type Outgoing, type Reply, send } from "../transport.ts";
import { errorAnswer, found, gatewayAnswer } from "./answers.ts";
import { type Counts, Ledger, type LoggedRequest } from "./counts.ts";
import { deliverUnder } from "./deliver.ts";
import {
  type Fault,
  type FaultTarget,
  faultProblem,
  isFault,
  isFaultTarget,
  type KvkFaultBoard,
  type MetFault,
  openFaultBoard,
} from "./faults.ts";
import { objectOf, written } from "./json.ts";
import { Register } from "./register.ts";
import { search } from "./search.ts";

const BASE_PATH = "/api";
const CONTROL_PATH = "/control";
/** The only key that is accepted unless another is given. It opens nothing but a simulator. */
export const SIMULATED_KVK_KEY = "simulated-kvk-key";
/** KVK's own limit. */
const PER_SECOND = 100;

export interface KvkSimulatorOptions extends ListenOptions {
  readonly apiKey?: string;
  /** Calls a second, beyond which 429 is answered; 100 unless given, as documented by KVK. */
  readonly perSecond?: number;
  /** The companies beside the odd ones. */
  readonly companies?: Iterable<CompanyFacts>;
}

/** A simulator that listens. */
export interface KvkSimulator {
  /** The base address, for `KVK_API_URL`. */
  readonly url: string;
  readonly controlUrl: string;
  readonly port: number;
  readonly apiKey: string;
  readonly register: Register;
  /** Sets or (undefined) takes away a fault; calls that hang meet the new one. @throws {RangeError} when it is none */
  setFault(target: FaultTarget, fault: Fault | undefined): void;
  clearFaults(): void;
  readonly counts: Counts;
  /** The last 10,000 requests. */
  readonly log: readonly LoggedRequest[];
  /** Closes at once, with every connection, hanging ones too. The port is then free. */
  stop(): Promise<void>;
}

/**
 * Starts a KVK of its own.
 * @throws when the address cannot be listened on
 */
export async function startKvkSimulator(options: KvkSimulatorOptions = {}): Promise<KvkSimulator> {
  const { apiKey = SIMULATED_KVK_KEY, perSecond = PER_SECOND, companies } = options;
  const board = openFaultBoard();
  const ledger = new Ledger();
  const register = new Register(companies);
  const world: World = { board, ledger, register, apiKey, perSecond };
  const { origin, port, stop } = await startListening(
    (request, response) => handle(world, request, response),
    options,
  );
  return {
    url: origin + BASE_PATH,
    controlUrl: origin + CONTROL_PATH,
    port,
    apiKey,
    register,
    setFault: (target, fault) => board.set(target, fault),
    clearFaults: () => board.clear(),
    get counts() {
      return ledger.counts;
    },
    get log() {
      return ledger.log;
    },
    stop,
  };
}

interface World {
  readonly board: KvkFaultBoard;
  readonly ledger: Ledger;
  readonly register: Register;
  readonly apiKey: string;
  readonly perSecond: number;
}

/** A request for a product. */
interface Call {
  readonly product: Product;
  readonly asked: string;
  readonly url: URL;
}

const PATHS: readonly (readonly [product: Product, path: RegExp])[] = [
  ["zoeken", /^\/v2\/zoeken$/],
  ["vestigingen", /^\/v1\/basisprofielen\/([^/]*)\/vestigingen$/],
  ["basisprofiel", /^\/v1\/basisprofielen\/([^/]*)$/],
  ["vestigingsprofiel", /^\/v1\/vestigingsprofielen\/([^/]*)$/],
];

async function handle(world: World, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = "" } = request;
  const url = new URL(request.url ?? "/", `http://${request.headers.host ?? "localhost"}`);
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  const outgoing: Outgoing = { response, gone: gone.signal, onLast: () => undefined };
  const body = await readBody(request);
  if (url.pathname.startsWith(`${CONTROL_PATH}/`)) {
    const asked = { method, path: url.pathname.slice(CONTROL_PATH.length), body: body ?? "" };
    const { board, ledger } = world;
    return send(outgoing, control({ ...CONTROLLED, board, counts: ledger.counts }, asked));
  }
  const path = url.pathname.startsWith(BASE_PATH) ? url.pathname.slice(BASE_PATH.length) : "";
  const call = PATHS.flatMap(([product, pattern]): Call[] => {
    const match = pattern.exec(path);
    return match === null ? [] : [{ product, asked: match[1] ?? url.search, url }];
  })[0];
  if (call === undefined || method !== "GET") return send(outgoing, gatewayAnswer(404));
  await answer(world, outgoing, call, request.headers);
}

const CONTROLLED = {
  isTarget: isFaultTarget,
  targets:
    "a product (zoeken, basisprofiel, vestigingen, vestigingsprofiel) or * for all without one of its own",
  targetName: "product",
  isFault,
  problemIn: faultProblem,
} as const;

async function answer(
  world: World,
  { response, gone }: Outgoing,
  call: Call,
  headers: IncomingMessage["headers"],
): Promise<void> {
  const { board, ledger, register, apiKey, perSecond } = world;
  const { leave, inLastSecond } = ledger.enter(call.product);
  response.once("close", leave);
  const outgoing = { response, gone, onLast: leave };
  const fault = await met(board, call.product, gone);
  const kind = fault === "gone" ? "hang" : fault?.kind;
  ledger.write({
    at: new Date().toISOString(),
    product: call.product,
    asked: call.asked,
    ...(kind !== undefined && { fault: kind }),
  });
  if (fault === "gone") return;
  if (!isSame(headers["apikey"], apiKey)) return send(outgoing, gatewayAnswer(401));
  if (inLastSecond > perSecond) return send(outgoing, gatewayAnswer(429));
  const accepts = headers.accept ?? "*/*";
  if (!/\*\/\*|application\/(hal\+)?json/.test(accepts)) return send(outgoing, gatewayAnswer(406));
  const reply = () => writtenReply(replyTo(register, call), call.url, fault);
  await deliverUnder(outgoing, reply, fault);
}

function isSame(given: string | string[] | undefined, key: string): boolean {
  const [a, b] = [Buffer.from(String(given)), Buffer.from(key)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** What KVK would say, links not yet written. */
function replyTo(register: Register, { product, asked, url }: Call): Reply {
  if (product === "zoeken") return search(register, url.searchParams);
  if (product === "vestigingsprofiel") {
    if (!/^[0-9]{12}$/.test(asked)) return errorAnswer("IPD0006", asked);
    const profile = register.ofBranch(asked)?.wire.vestigingsprofielen[asked];
    return profile === undefined ? errorAnswer("IPD0007", asked) : found(profile, "1.5.0");
  }
  if (!/^[0-9]{8}$/.test(asked)) return errorAnswer("IPD0004", asked);
  const code = register.errorOf(asked);
  if (code !== undefined) return errorAnswer(code, asked);
  const wire = register.company(asked)?.wire;
  const body = product === "vestigingen" ? wire?.vestigingen : wire?.basisprofiel;
  return body === undefined ? errorAnswer("IPD0005", asked) : found(body, "1.5.0");
}

function writtenReply(reply: Reply, url: URL, fault: MetFault | undefined): Reply {
  const terms = {
    baseUrl: url.origin + BASE_PATH,
    linkForm: fault?.kind === "links" ? fault.form : "object",
    geoData: url.searchParams.get("geoData") === "true",
  } as const;
  return { ...reply, body: objectOf(written(reply.body, terms)) };
}

/** The fault that a request meets. Where that is a hang, it waits for another one, or until the caller is gone. */
async function met(
  board: KvkFaultBoard,
  product: Product,
  gone: AbortSignal,
): Promise<Exclude<MetFault, { kind: "hang" }> | undefined | "gone"> {
  for (;;) {
    const fault = board.meet(product);
    if (fault?.kind !== "hang") return fault;
    await board.changed(gone);
    if (gone.aborted) return "gone";
  }
}
