import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { control } from "./control.ts";
import type { ActiveFault, CommonFault, FaultBoard } from "./faults.ts";
import { type Outgoing, type Reply, sendReply } from "./sending.ts";

const CONTROL_PATH = "/control";
const MAX_BODY_BYTES = 64 * 1024;

export interface ListenOptions {
  /** A loopback address, 127.0.0.1 by default: anyone who reaches a simulator can set its faults. */
  readonly host?: string;
  /** 0, the default, takes a free one. */
  readonly port?: number;
}

/**
 * A simulator that listens. `Target`: what can have a fault, such as a member state. `Fault`: the faults it knows.
 * `Own`: those that only this simulator has.
 */
export interface Simulator<Target extends string, Fault, Counts, Entry> {
  /** The base address of the simulated upstream. */
  readonly url: string;
  readonly controlUrl: string;
  readonly port: number;
  /** Sets or (undefined) clears a fault; hanging calls meet the new one. @throws {RangeError} when it is not a fault */
  setFault(target: Target, fault: Fault | undefined): void;
  clearFaults(): void;
  readonly counts: Counts;
  /** The last requests. */
  readonly log: readonly Entry[];
  /** Closes at once with every connection, including hanging ones. The port is then free. */
  stop(): Promise<void>;
}

/** A request for the upstream itself. */
export interface Incoming {
  readonly request: IncomingMessage;
  readonly method: string;
  /** After the upstream's base path; empty for an address outside it. */
  readonly path: string;
  /** Undefined when it was too large or broke off. */
  readonly body: string | undefined;
}

/** How a simulator answers one request. */
export interface CallPlan<Target, Own> {
  /** The targets whose faults this call meets, the most specific first. */
  readonly targets: readonly Target[];
  /** Called when the call is over, possibly more than once. */
  readonly leave?: () => void;
  /** Writes the call to the log, with the kind of the fault that it met. */
  readonly log?: (fault: string | undefined) => void;
  readonly answer: (outgoing: Outgoing, fault: ActiveFault | Own | undefined) => Promise<void> | void;
}

interface SimulatorTerms<Target extends string, Own extends { readonly kind: string }, Counts, Entry> {
  readonly basePath: string;
  readonly board: FaultBoard<Target, Own>;
  readonly counts: () => Counts;
  readonly log: () => readonly Entry[];
  /** The response to a body that is too large or breaks off; without it, `route` gets the request. */
  readonly tooLarge?: Reply;
  /** The call that a request makes, or a response that no fault concerns. */
  readonly route: (incoming: Incoming) => CallPlan<Target, Own> | Reply;
}

/**
 * Starts a server with an upstream under `basePath` and the control of its faults under `/control`.
 * @throws when it cannot listen on the address
 */
export async function startSimulator<
  Target extends string,
  Own extends { readonly kind: string },
  Counts extends object,
  Entry,
>(
  terms: SimulatorTerms<Target, Own, Counts, Entry>,
  { host = "127.0.0.1", port = 0 }: ListenOptions,
): Promise<Simulator<Target, CommonFault | Own, Counts, Entry>> {
  const { board, basePath } = terms;
  const server = createServer((request, response) => {
    const gone = new AbortController();
    response.once("close", () => gone.abort());
    const outgoing: Outgoing = { response, gone: gone.signal, onLast: () => undefined };
    handle(terms, request, outgoing).catch(() => response.destroy());
  });
  // Otherwise the server could close a connection just as the next request arrives, which looks like a fault.
  server.keepAliveTimeout = 0;
  const { address, family, port: taken } = await listen(server, host, port);
  const origin = `http://${family === "IPv6" ? `[${address}]` : address}:${taken}`;
  return {
    url: origin + basePath,
    controlUrl: origin + CONTROL_PATH,
    port: taken,
    setFault: (target, fault) => board.set(target, fault),
    clearFaults: () => board.clear(),
    get counts() {
      return terms.counts();
    },
    get log() {
      return terms.log();
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function handle<Target extends string, Own extends { readonly kind: string }, Entry>(
  { basePath, board, counts, tooLarge, route }: SimulatorTerms<Target, Own, object, Entry>,
  request: IncomingMessage,
  outgoing: Outgoing,
): Promise<void> {
  const { response, gone } = outgoing;
  const { method = "" } = request;
  const [path = ""] = (request.url ?? "").split("?", 1);
  const body = await readBody(request);
  if (body === undefined && tooLarge !== undefined) {
    response.setHeader("connection", "close");
    return sendReply(outgoing, tooLarge);
  }
  if (path.startsWith(`${CONTROL_PATH}/`)) {
    const controlled = { method, path: path.slice(CONTROL_PATH.length), body: body ?? "" };
    return sendReply(outgoing, control(board, counts(), controlled));
  }
  const inside = path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : "";
  const call = route({ request, method, path: inside, body });
  if ("status" in call) return sendReply(outgoing, call);
  const { targets, leave = () => undefined, log, answer } = call;
  response.once("close", leave);
  const fault = await board.meet(targets, gone);
  log?.(fault === "gone" ? "hang" : fault?.kind);
  if (fault !== "gone") await answer({ response, gone, onLast: leave }, fault);
}

async function listen(server: Server, host: string, port: number): Promise<AddressInfo> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  });
  return server.address() as AddressInfo;
}

/** The body of a request as text; undefined when it is too large or breaks off. */
async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const parts: Buffer[] = [];
  let length = 0;
  try {
    for await (const part of request.iterator({ destroyOnReturn: false })) {
      const bytes = Buffer.from(part);
      length += bytes.length;
      if (length > MAX_BODY_BYTES) return undefined;
      parts.push(bytes);
    }
  } catch {
    return undefined;
  }
  return Buffer.concat(parts).toString("utf8");
}
