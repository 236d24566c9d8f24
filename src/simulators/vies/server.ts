import type { IncomingMessage, ServerResponse } from "node:http";
import { isStateCode, type StateCode } from "../../vat/numbers/states.ts";
import { readBody } from "../body.ts";
import { control } from "../control.ts";
import { type ListenOptions, startListening } from "../listening.ts";
import { type Outgoing, type Reply, send } from "../transport.ts";
import { errorAnswer, statusAnswer } from "./answers.ts";
import { type CompanyOf, checkNumber, checkTestService, companyAsked } from "./check.ts";
import { type Counts, Ledger, type LoggedRequest } from "./counts.ts";
import { deliver } from "./deliver.ts";
import { type Fault, type FaultTarget, faultProblem, isFault, isFaultTarget, isOutage } from "./fault.ts";
import { type MetFault, openFaultBoard, type ViesFaultBoard } from "./faultBoard.ts";
import { readCheckRequest } from "./request.ts";

const BASE_PATH = "/taxation_customs/vies/rest-api";
const CONTROL_PATH = "/control";
const CONTROLLED = {
  isTarget: isFaultTarget,
  targets: "a state (NL, DE, EL, XI, …), * for every state without one of its own, or check-status",
  targetName: "state",
  isFault,
  problemIn: faultProblem,
} as const;

export interface ViesSimulatorOptions extends ListenOptions {
  /** Asked first about every well-formed number that is no magic one. */
  readonly companyOf?: CompanyOf;
}

/** A simulator that listens. */
export interface ViesSimulator {
  /** The base address, for `VIES_URL`. */
  readonly url: string;
  readonly controlUrl: string;
  readonly port: number;
  /** Sets or (undefined) takes away a fault; calls that hang meet the new one. @throws {RangeError} when it is none */
  setFault(target: FaultTarget, fault: Fault | undefined): void;
  clearFaults(): void;
  readonly counts: Counts;
  /** The last 1,000 numbers that were asked. */
  readonly log: readonly LoggedRequest[];
  /** Closes at once, with every connection, hanging ones too. The port is then free. */
  stop(): Promise<void>;
}

/**
 * Starts a VIES of its own.
 * @throws when the address cannot be listened on
 */
export async function startViesSimulator(options: ViesSimulatorOptions = {}): Promise<ViesSimulator> {
  const board = openFaultBoard();
  const ledger = new Ledger();
  const world: World = { board, ledger, companyOf: options.companyOf };
  const { origin, port, stop } = await startListening(
    (request, response) => handle(world, request, response),
    options,
  );
  return {
    url: origin + BASE_PATH,
    controlUrl: origin + CONTROL_PATH,
    port,
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
  readonly board: ViesFaultBoard;
  readonly ledger: Ledger;
  readonly companyOf: CompanyOf | undefined;
}

type Operation = LoggedRequest["operation"];
const OPERATIONS: readonly Operation[] = ["check-vat-number", "check-vat-test-service"];

async function handle(world: World, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = "" } = request;
  const [path = ""] = (request.url ?? "").split("?", 1);
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  const outgoing: Outgoing = { response, gone: gone.signal, onLast: () => undefined };

  const body = await readBody(request);
  if (body === undefined) {
    response.setHeader("connection", "close");
    return send(outgoing, errorAnswer("VOW-ERR-1", 413));
  }
  if (path.startsWith(`${CONTROL_PATH}/`)) {
    const asked = { method, path: path.slice(CONTROL_PATH.length), body };
    return send(outgoing, control({ ...CONTROLLED, board: world.board, counts: world.ledger.counts }, asked));
  }
  const name = path.startsWith(`${BASE_PATH}/`) ? path.slice(BASE_PATH.length + 1) : "";
  const operation = OPERATIONS.find((known) => known === name);
  if (operation !== undefined && method === "POST") return answerCheck(world, outgoing, operation, body);
  if (name === "check-status" && method === "GET") return answerStatus(world, outgoing);
  send(outgoing, errorAnswer("VOW-ERR-1", operation === undefined && name !== "check-status" ? 404 : 405));
}

/** Answers with the status of every state; a fault of `*` that is an outage makes all of VIES unavailable. */
async function answerStatus({ board, ledger }: World, outgoing: Outgoing): Promise<void> {
  ledger.statusCall();
  const fault = await met(board, "check-status", outgoing.gone);
  if (fault === "gone") return;
  const reply = () =>
    statusAnswer(!isOutage(board.get("*")), (state: StateCode) => !isOutage(board.get(state)));
  await deliver(outgoing, reply, fault);
}

async function answerCheck(
  { board, ledger, companyOf }: World,
  { response, gone }: Outgoing,
  operation: Operation,
  body: string,
): Promise<void> {
  const request = readCheckRequest(body);
  const state =
    "countryCode" in request && isStateCode(request.countryCode) ? request.countryCode : undefined;
  const leave = ledger.enter(state);
  response.once("close", leave);
  const fault = await met(board, state ?? "*", gone);
  if (!("code" in request)) {
    const at = new Date().toISOString();
    const kind = fault === "gone" ? "hang" : fault?.kind;
    ledger.write({ at, operation, request, ...(kind !== undefined && { fault: kind }) });
  }
  if (fault === "gone") return;
  const isCheck = operation === "check-vat-number";
  const known = isCheck && !("code" in request) ? await companyAsked(request, companyOf) : undefined;
  const reply = (): Reply => {
    if ("code" in request) return errorAnswer(request.code);
    return isCheck ? checkNumber(request, known) : checkTestService(request);
  };
  await deliver({ response, gone, onLast: leave }, reply, fault);
}

/** The fault that a request meets. Where that is a hang, it waits for another one, or until the caller is gone. */
async function met(
  board: ViesFaultBoard,
  target: FaultTarget,
  gone: AbortSignal,
): Promise<Exclude<MetFault, { kind: "hang" }> | undefined | "gone"> {
  for (;;) {
    const fault = board.meet(target);
    if (fault?.kind !== "hang") return fault;
    await board.changed(gone);
    if (gone.aborted) return "gone";
  }
}
