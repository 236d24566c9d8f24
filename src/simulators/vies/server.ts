import { isStateCode, type StateCode } from "../../vat/numbers/states.ts";
import type { ListenOptions } from "../listening.ts";
import { type Incoming, type Simulator, startSimulator } from "../simulator.ts";
import { type Outgoing, type Reply, send } from "../transport.ts";
import { errorAnswer, statusAnswer } from "./answers.ts";
import { type CompanyOf, checkNumber, checkTestService, companyAsked } from "./check.ts";
import { type Counts, Ledger, type LoggedRequest } from "./counts.ts";
import { deliver } from "./deliver.ts";
import {
  type Fault,
  type FaultTarget,
  faultProblem,
  isFault,
  isFaultTarget,
  isOutage,
  openFaultBoard,
  type ViesFaultBoard,
} from "./faults.ts";
import { readCheckRequest } from "./request.ts";

const BASE_PATH = "/taxation_customs/vies/rest-api";
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

/** A simulator of VIES that listens; its address is for `VIES_URL`. It remembers the last 1,000 numbers that were asked. */
export type ViesSimulator = Simulator<FaultTarget, Fault, Counts, LoggedRequest>;

/**
 * Starts a VIES of its own.
 * @throws when the address cannot be listened on
 */
export function startViesSimulator(options: ViesSimulatorOptions = {}): Promise<ViesSimulator> {
  const board = openFaultBoard();
  const ledger = new Ledger();
  const world: World = { board, ledger, companyOf: options.companyOf };
  return startSimulator(
    {
      basePath: BASE_PATH,
      board,
      ledger,
      controlled: CONTROLLED,
      tooLarge: errorAnswer("VOW-ERR-1", 413),
      answer: (incoming, outgoing) => answer(world, incoming, outgoing),
    },
    options,
  );
}

interface World {
  readonly board: ViesFaultBoard;
  readonly ledger: Ledger;
  readonly companyOf: CompanyOf | undefined;
}

type Operation = LoggedRequest["operation"];
const OPERATIONS: readonly Operation[] = ["check-vat-number", "check-vat-test-service"];

async function answer(
  world: World,
  { method, path, body = "" }: Incoming,
  outgoing: Outgoing,
): Promise<void> {
  const name = path.slice(1);
  const operation = OPERATIONS.find((known) => known === name);
  if (operation !== undefined && method === "POST") return answerCheck(world, outgoing, operation, body);
  if (name === "check-status" && method === "GET") return answerStatus(world, outgoing);
  send(outgoing, errorAnswer("VOW-ERR-1", operation === undefined && name !== "check-status" ? 404 : 405));
}

/** Answers with the status of every state; a fault of `*` that is an outage makes all of VIES unavailable. */
async function answerStatus({ board, ledger }: World, outgoing: Outgoing): Promise<void> {
  ledger.statusCall();
  const fault = await board.met("check-status", outgoing.gone);
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
  const fault = await board.met(state ?? "*", gone);
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
