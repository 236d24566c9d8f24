import type { IncomingMessage } from "node:http";
import { type ControlTerms, control } from "./control.ts";
import type { FaultBoard } from "./faultBoard.ts";
import { type ListenOptions, startListening } from "./listening.ts";
import { type Outgoing, type Reply, send } from "./transport.ts";

const CONTROL_PATH = "/control";
const MOST_BODY_BYTES = 64 * 1024;

/** A simulator that listens. */
export interface Simulator<Target extends string, Fault extends object, Counts, Logged> {
  /** The base address of the upstream that it stands for. */
  readonly url: string;
  readonly controlUrl: string;
  readonly port: number;
  /** Sets or (undefined) takes away a fault; calls that hang meet the new one. @throws {RangeError} when it is none */
  setFault(target: Target, fault: Fault | undefined): void;
  clearFaults(): void;
  readonly counts: Counts;
  /** The last requests; how many is the ledger's business. */
  readonly log: readonly Logged[];
  /** Closes at once, with every connection, hanging ones too. The port is then free. */
  stop(): Promise<void>;
}

/** What came in for the upstream itself. */
export interface Incoming {
  readonly request: IncomingMessage;
  readonly method: string;
  /** After the upstream's base path; empty for an address outside it. */
  readonly path: string;
  /** Undefined when it was larger than anybody has reason to send, or broke off. */
  readonly body: string | undefined;
}

interface SimulatorTerms<Target extends string, Fault extends object, Counts, Logged> {
  readonly basePath: string;
  readonly board: FaultBoard<Target, Fault, object>;
  readonly ledger: { readonly counts: Counts; readonly log: readonly Logged[] };
  readonly controlled: Omit<ControlTerms<Target, Fault>, "board" | "counts">;
  /** What a body that cannot be read is answered, also where it came for the control. */
  readonly tooLarge?: Reply;
  /** Answers what came in; what it rejects with ends the connection. */
  readonly answer: (incoming: Incoming, outgoing: Outgoing) => Promise<void> | void;
}

/**
 * Starts what every simulated upstream is: a server with the upstream under `basePath` and the control of its faults beside it.
 * @throws when the address cannot be listened on
 */
export async function startSimulator<
  Target extends string,
  Fault extends object,
  Counts extends object,
  Logged,
>(
  terms: SimulatorTerms<Target, Fault, Counts, Logged>,
  options: ListenOptions,
): Promise<Simulator<Target, Fault, Counts, Logged>> {
  const { basePath, board, ledger, controlled, tooLarge, answer } = terms;
  const { origin, port, stop } = await startListening(async (request, response) => {
    const { method = "" } = request;
    const [path = ""] = (request.url ?? "").split("?", 1);
    const gone = new AbortController();
    response.once("close", () => gone.abort());
    const outgoing: Outgoing = { response, gone: gone.signal, onLast: () => undefined };
    const body = await readBody(request);
    if (body === undefined && tooLarge !== undefined) {
      response.setHeader("connection", "close");
      return send(outgoing, tooLarge);
    }
    if (path.startsWith(`${CONTROL_PATH}/`)) {
      const asked = { method, path: path.slice(CONTROL_PATH.length), body: body ?? "" };
      return send(outgoing, control({ ...controlled, board, counts: ledger.counts }, asked));
    }
    const inside = path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : "";
    await answer({ request, method, path: inside, body }, outgoing);
  }, options);
  return {
    url: origin + basePath,
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

/** The body of a request as text; undefined when it is larger than anybody has reason to send, or breaks off. */
async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const parts: Buffer[] = [];
  let length = 0;
  try {
    for await (const part of request.iterator({ destroyOnReturn: false })) {
      const bytes = Buffer.from(part);
      length += bytes.length;
      if (length > MOST_BODY_BYTES) return undefined;
      parts.push(bytes);
    }
  } catch {
    return undefined;
  }
  return Buffer.concat(parts).toString("utf8");
}
