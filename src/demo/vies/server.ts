import { isStateCode, type StateCode } from "../../vat/numbers/states.ts";
import { type Count, Ledger } from "../simulator/ledger.ts";
import type { Reply } from "../simulator/sending.ts";
import { type CallPlan, type ListenOptions, type Simulator, startSimulator } from "../simulator/simulator.ts";
import { type CheckRequest, errorAnswer, statusAnswer } from "./answers.ts";
import { type CompanyOf, checkNumber, readCheckRequest } from "./check.ts";
import { type Fault, type FaultTarget, isOutage, type OwnFault, openFaultBoard, respond } from "./faults.ts";

const BASE_PATH = "/taxation_customs/vies/rest-api";
const MAX_LOGGED = 1_000;

export interface ViesSimulatorOptions extends ListenOptions {
  /** Asked first about every well-formed number except magic ones. */
  readonly companyOf?: CompanyOf;
}

/** Requests so far: checks of numbers, in total and by state, and calls of `check-status`. */
interface Counts {
  readonly all: Count;
  readonly states: Readonly<Partial<Record<StateCode, Count>>>;
  readonly statusCalls: number;
}

/** A check of a number. It can be a citizen number: for tests in the same process only, never written anywhere. */
interface LoggedRequest {
  readonly at: string;
  readonly request: CheckRequest;
  /** The kind of fault that the request met last. */
  readonly fault?: string;
}

/** A running simulator of VIES; its address is for `VIES_URL`. It keeps the last 1,000 requests. */
export type ViesSimulator = Simulator<FaultTarget, Fault, Counts, LoggedRequest>;
type ViesCall = CallPlan<FaultTarget, OwnFault>;

/** Starts a simulator of VIES. @throws when it cannot listen on the address */
export function startViesSimulator({
  companyOf,
  ...options
}: ViesSimulatorOptions = {}): Promise<ViesSimulator> {
  const board = openFaultBoard();
  const ledger = new Ledger<StateCode, LoggedRequest>(MAX_LOGGED);
  let statusCalls = 0;

  const statusCall = (): ViesCall => {
    statusCalls += 1;
    return {
      targets: ["check-status"],
      answer: (outgoing, fault) => {
        // An outage of `*` is one of VIES as a whole.
        const isStateAvailable = (state: StateCode) => !isOutage(board.get(state));
        return respond(outgoing, statusAnswer(!isOutage(board.get("*")), isStateAvailable), fault);
      },
    };
  };

  const checkCall = (body: string): ViesCall => {
    const request = readCheckRequest(body);
    const code = typeof request === "string" ? "" : request.countryCode;
    const state = isStateCode(code) ? code : undefined;
    return {
      targets: state === undefined ? ["*"] : [state, "*"],
      leave: ledger.enter(state),
      log: (fault) => {
        if (typeof request === "string") return;
        ledger.write({ at: new Date().toISOString(), request, ...(fault !== undefined && { fault }) });
      },
      answer: async (outgoing, fault) => {
        const reply =
          typeof request === "string" ? errorAnswer(request) : await checkNumber(request, companyOf);
        await respond(outgoing, reply, fault);
      },
    };
  };

  return startSimulator(
    {
      basePath: BASE_PATH,
      board,
      counts: () => ({ all: ledger.all, states: ledger.groups, statusCalls }),
      log: () => ledger.log,
      tooLarge: errorAnswer("VOW-ERR-1", 413),
      route: ({ method, path, body = "" }): ViesCall | Reply => {
        if (path === "/check-vat-number" && method === "POST") return checkCall(body);
        if (path === "/check-status" && method === "GET") return statusCall();
        return errorAnswer("VOW-ERR-1", ["/check-vat-number", "/check-status"].includes(path) ? 405 : 404);
      },
    },
    options,
  );
}
