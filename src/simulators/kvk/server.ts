import { timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { CompanyFacts } from "../../company/facts.ts";
import type { Product } from "../../kvk/api/results.ts";
import type { ListenOptions } from "../listening.ts";
import { type Incoming, type Simulator, startSimulator } from "../simulator.ts";
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

/** A simulator of KVK that listens; its address is for `KVK_API_URL`. It remembers the last 10,000 requests. */
export interface KvkSimulator extends Simulator<FaultTarget, Fault, Counts, LoggedRequest> {
  readonly apiKey: string;
  readonly register: Register;
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
  const started = await startSimulator(
    {
      basePath: BASE_PATH,
      board,
      ledger,
      controlled: CONTROLLED,
      answer: (incoming, outgoing) => route(world, incoming, outgoing),
    },
    options,
  );
  return Object.assign(started, { apiKey, register });
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

function route(world: World, { request, method, path }: Incoming, outgoing: Outgoing): Promise<void> | void {
  const { headers } = request;
  const url = new URL(request.url ?? "/", `http://${headers.host ?? "localhost"}`);
  const call = PATHS.flatMap(([product, pattern]): Call[] => {
    const match = pattern.exec(path);
    return match === null ? [] : [{ product, asked: match[1] ?? url.search, url }];
  })[0];
  if (call === undefined || method !== "GET") return send(outgoing, gatewayAnswer(404));
  return answer(world, outgoing, call, headers);
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
  const fault = await board.met(call.product, gone);
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
