import { childOf, textOf } from "../../insolvency/court/elements.ts";
import {
  ADDRESSING,
  actionOf,
  escapeXml,
  OPERATIONS,
  type Operation,
  PASSWORD_TEXT,
  SERVICE,
  SOAP_11,
  SOAP_12,
  WSSE,
  WSU,
} from "../../insolvency/court/soap.ts";
import { parseXml, type XmlElement } from "../../lib/xml.ts";
import { COMMON_KINDS, type CommonFault, FaultBoard, type FaultOf, oneOf } from "../simulator/faults.ts";
import { type Count, Ledger } from "../simulator/ledger.ts";
import { type Reply, sendReply } from "../simulator/sending.ts";
import { type CallPlan, type ListenOptions, type Simulator, startSimulator } from "../simulator/simulator.ts";
import { CourtRegister } from "./register.ts";
import { caseXml, exceptionXml, referencesXml, removalsXml } from "./xml.ts";

const OWN_KINDS = {
  /** An element `exceptie` with this code. */
  exceptie: { code: oneOf("1", "2", "3", "4", "5", "6", "7", "99") },
  /** The login is refused. */
  login: {},
  /** The right answer in an envelope of SOAP 1.1. */
  soap11: {},
  /** The right answer in another namespace. */
  namespace: {},
  /** Another case than the requested one. */
  otherCase: {},
} as const;
type OwnFault = FaultOf<typeof OWN_KINDS>;
export type CourtFault = CommonFault | OwnFault;
export type CourtTarget = Operation | "*";

export interface CourtSimulatorOptions extends ListenOptions {
  readonly register?: CourtRegister;
  readonly user?: string;
  readonly password?: string;
}

/** A running simulator of the court; its address is for `CIR_URL`. `POST /day` lets a day pass. */
export interface CourtSimulator
  extends Simulator<
    CourtTarget,
    CourtFault,
    { readonly all: Count; readonly operations: object },
    { readonly operation: Operation; readonly argument: string; readonly fault?: string }
  > {
  readonly register: CourtRegister;
}

/** The login that a simulator accepts by default. It is of no use anywhere else. */
export const SIMULATED_COURT_LOGIN = { user: "simulated-user", password: "simulated-password" } as const;
const PATH = "/cir.asmx";
const MAX_LOGGED = 10_000;
const ACTION = new RegExp(`${SERVICE}/(${Object.keys(OPERATIONS).join("|")})<`);
const isOperation = (text: string | undefined): text is Operation =>
  text !== undefined && Object.hasOwn(OPERATIONS, text);

/** Starts a simulator of the court's web service. @throws when it cannot listen on the address */
export async function startCourtSimulator(options: CourtSimulatorOptions = {}): Promise<CourtSimulator> {
  const { register = new CourtRegister(), ...login } = { ...SIMULATED_COURT_LOGIN, ...options };
  const ledger = new Ledger<Operation, CourtSimulator["log"][number]>(MAX_LOGGED);
  const board = new FaultBoard<CourtTarget, OwnFault>({
    kinds: { ...COMMON_KINDS, ...OWN_KINDS },
    isTarget: (text): text is CourtTarget => text === "*" || isOperation(text),
    targets: `an operation (${Object.keys(OPERATIONS).join(", ")}), or * for all without a fault of their own`,
  });

  const route = ({ method, path, body = "" }: { method: string; path: string; body: string | undefined }) => {
    if (method !== "POST") return faultReply("Client", "use POST", 405);
    if (path === "/day") {
      register.passDays();
      return { status: 200, body: { today: register.today } };
    }
    const operation = ACTION.exec(body)?.[1];
    if (path !== PATH || !isOperation(operation)) return faultReply("Client", "unknown action");
    const argument = new RegExp(`<${OPERATIONS[operation].parameter}>([^<]*)<`).exec(body)?.[1] ?? "";
    const call: CallPlan<CourtTarget, OwnFault> = {
      targets: [operation, "*"],
      leave: ledger.enter(operation),
      log: (fault) => ledger.write({ operation, argument, ...(fault !== undefined && { fault }) }),
      answer: async (outgoing, fault) => {
        const problem = problemIn(await parseXml(body), operation, login);
        if (problem !== undefined) return sendReply(outgoing, problem);
        switch (fault?.kind) {
          case "code":
            return sendReply(outgoing, faultReply("Server", fault.code, fault.status));
          case "login":
            return sendReply(outgoing, LOGIN_REFUSED);
          case "exceptie":
            return sendReply(outgoing, answerReply(operation, excepted(register, operation, fault.code)));
          case "soap11":
            return sendReply(
              outgoing,
              answerReply(operation, contentOf(register, operation, argument), SOAP_11),
            );
          case "namespace": {
            const content = contentOf(register, operation, argument).replace("inspubber01", "inspubber02");
            return sendReply(outgoing, answerReply(operation, content));
          }
          case "otherCase": {
            const other = register.all.find((facts) => facts !== register.caseOf(argument));
            return sendReply(outgoing, answerReply(operation, caseXml(other)));
          }
          default:
            return sendReply(
              outgoing,
              answerReply(operation, contentOf(register, operation, argument)),
              fault,
            );
        }
      },
    };
    return call;
  };

  const counts = () => ({ all: ledger.all, operations: ledger.groups });
  const started = await startSimulator(
    { basePath: "", board, counts, log: () => ledger.log, route },
    options,
  );
  return Object.assign(started, { url: started.url + PATH, register });
}

function contentOf(register: CourtRegister, operation: Operation, argument: string): string {
  const { extractedAt } = register;
  if (operation === "searchModifiedSince")
    return referencesXml(extractedAt, register.modifiedSince(argument));
  if (operation === "searchRemovedSince") return removalsXml(extractedAt, register.removedSince(argument));
  return caseXml(register.caseOf(argument));
}

/** The empty answer with another code. */
function excepted({ extractedAt }: CourtRegister, operation: Operation, code: string): string {
  const empty =
    operation === "getCase"
      ? caseXml(undefined)
      : (operation === "searchModifiedSince" ? referencesXml : removalsXml)(extractedAt, []);
  return empty.replace(exceptionXml("1"), exceptionXml(code));
}

/** The fault for a request whose addressing or login is wrong. */
function problemIn(
  envelope: XmlElement | string,
  operation: Operation,
  login: { readonly user: string; readonly password: string },
): Reply | undefined {
  if (typeof envelope === "string") return faultReply("Client", envelope);
  const header = childOf(envelope, "Header", envelope.namespace);
  const addressed = (name: string) => textOf(header, name, ADDRESSING);
  const replyTo = textOf(childOf(header, "ReplyTo", ADDRESSING), "Address", ADDRESSING);
  const body = childOf(envelope, "Body", envelope.namespace);
  if (childOf(body, operation, SERVICE) === undefined || addressed("Action") !== actionOf(operation))
    return faultReply("Client", "ActionMismatch");
  if ([addressed("MessageID"), addressed("To"), replyTo].includes(undefined))
    return faultReply("Client", "MessageInformationHeaderRequired");
  const security = childOf(header, "Security", WSSE);
  const timestamp = childOf(security, "Timestamp", WSU);
  const [created, expires] = ["Created", "Expires"].map((name) =>
    Date.parse(textOf(timestamp, name, WSU) ?? ""),
  );
  const token = childOf(security, "UsernameToken", WSSE);
  const password = childOf(token, "Password", WSSE);
  const isRight =
    textOf(token, "Username", WSSE) === login.user &&
    password?.text === login.password &&
    password.attributes.get("Type") === PASSWORD_TEXT &&
    Number(created) < Number(expires);
  return isRight ? undefined : LOGIN_REFUSED;
}

function answerReply(operation: Operation, content: string, soap = SOAP_12): Reply {
  const result = `<${operation}Result>${content}</${operation}Result>`;
  const body = `<${operation}Response xmlns="${SERVICE}">${result}</${operation}Response>`;
  return envelopeReply(soap, actionOf(operation), body, 200);
}

function faultReply(code: "Client" | "Server", reason: string, status = 500): Reply {
  const fault = `<s:Fault><faultcode>s:${code}</faultcode><faultstring>${escapeXml(reason)}</faultstring></s:Fault>`;
  return envelopeReply(SOAP_11, "fault", fault, status);
}

const LOGIN_REFUSED = faultReply("Client", "wsse:FailedAuthentication");

function envelopeReply(soap: string, action: string, body: string, status: number): Reply {
  const header = `<a:Action xmlns:a="${ADDRESSING}">${action}Response</a:Action>`;
  const text = `<s:Envelope xmlns:s="${soap}"><s:Header>${header}</s:Header><s:Body>${body}</s:Body></s:Envelope>`;
  const type = soap === SOAP_12 ? "application/soap+xml" : "text/xml";
  return { status, body: {}, text, headers: { "content-type": `${type}; charset=utf-8` } };
}
