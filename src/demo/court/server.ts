import { childOf, textOf } from "../../insolvency/court/elements.ts";
import * as soap from "../../insolvency/court/soap.ts";
import { parseXml, type XmlElement } from "../../lib/xml.ts";
import { COMMON_KINDS, type CommonFault, FaultBoard, type FaultOf, oneOf } from "../simulator/faults.ts";
import { type Count, Ledger } from "../simulator/ledger.ts";
import { type Reply, sendReply } from "../simulator/sending.ts";
import {
  type CallPlan,
  type Incoming,
  type ListenOptions,
  type Simulator,
  startSimulator,
} from "../simulator/simulator.ts";
import { CourtRegister } from "./register.ts";
import { caseContent, element, exceptionOf, type Fields, returned } from "./xml.ts";

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
export type CourtTarget = soap.Operation | "*";

export interface CourtSimulatorOptions extends ListenOptions {
  readonly register?: CourtRegister;
  readonly user?: string;
  readonly password?: string;
}

interface Counts {
  readonly all: Count;
  readonly operations: Readonly<Partial<Record<soap.Operation, Count>>>;
}

interface LoggedRequest {
  readonly operation: soap.Operation;
  readonly argument: string;
  readonly fault?: string;
}

/** A running simulator of the court; its address is for `CIR_URL`. `POST /day` lets a day pass. */
export interface CourtSimulator extends Simulator<CourtTarget, CourtFault, Counts, LoggedRequest> {
  readonly register: CourtRegister;
}

/** The login that a simulator accepts by default. It is of no use anywhere else. */
export const SIMULATED_COURT_LOGIN = { user: "simulated-user", password: "simulated-password" } as const;
const PATH = "/cir.asmx";
const MAX_LOGGED = 10_000;
const NAMES = Object.keys(soap.OPERATIONS);
const ACTION = /\/cir01\/(\w+)</;
const ARGUMENT = /<(?:modifyDate|publicationNumber)>([^<]*)</;

function isOperation(text: string | undefined): text is soap.Operation {
  return text !== undefined && NAMES.includes(text);
}

/** Starts a simulator of the court's web service. @throws when it cannot listen on the address */
export async function startCourtSimulator(options: CourtSimulatorOptions = {}): Promise<CourtSimulator> {
  const { register = new CourtRegister(), ...login } = { ...SIMULATED_COURT_LOGIN, ...options };
  const ledger = new Ledger<soap.Operation, LoggedRequest>(MAX_LOGGED);
  const board = new FaultBoard<CourtTarget, OwnFault>({
    kinds: { ...COMMON_KINDS, ...OWN_KINDS },
    isTarget: (text): text is CourtTarget => text === "*" || isOperation(text),
    targets: `an operation (${NAMES.join(", ")}), or * for all without a fault of their own`,
  });

  const route = ({ method, path, body = "" }: Incoming): CallPlan<CourtTarget, OwnFault> | Reply => {
    if (path === "/day" && method === "POST") {
      register.passDays();
      return { status: 200, body: { today: register.today } };
    }
    const operation = ACTION.exec(body)?.[1];
    if (path !== PATH || method !== "POST" || !isOperation(operation)) return faultReply("UnknownAction");
    const argument = ARGUMENT.exec(body)?.[1] ?? "";
    const content = () => contentOf(register, operation, argument);
    return {
      targets: [operation, "*"],
      leave: ledger.enter(operation),
      log: (fault) => ledger.write({ operation, argument, ...(fault !== undefined && { fault }) }),
      answer: async (outgoing, fault) => {
        const problem = problemIn(await parseXml(body), operation, login);
        if (problem !== undefined) return sendReply(outgoing, faultReply(problem));
        const date = operation === "getCase" ? undefined : register.extractedAt;
        const reply = (shown: Fields, version = soap.SOAP_12) => answerReply(operation, shown, date, version);
        switch (fault?.kind) {
          case "code":
            return sendReply(outgoing, faultReply(fault.code, fault.status));
          case "login":
            return sendReply(outgoing, faultReply(REFUSED));
          case "exceptie":
            return sendReply(outgoing, reply(exceptionOf(fault.code)));
          case "soap11":
            return sendReply(outgoing, reply(content(), soap.SOAP_11));
          case "namespace": {
            const { text = "", ...rest } = reply(content());
            return sendReply(outgoing, { ...rest, text: text.replace("inspubber01", "inspubber02") });
          }
          case "otherCase": {
            const other = register.all.find((facts) => facts !== register.caseOf(argument));
            return sendReply(outgoing, reply(other === undefined ? exceptionOf() : caseContent(other)));
          }
          default:
            return sendReply(outgoing, reply(content()), fault);
        }
      },
    };
  };

  const counts = () => ({ all: ledger.all, operations: ledger.groups });
  const started = await startSimulator(
    { basePath: "", board, counts, log: () => ledger.log, route },
    options,
  );
  return Object.assign(started, { url: started.url + PATH, register });
}

function contentOf(register: CourtRegister, operation: soap.Operation, argument: string): Fields {
  if (operation === "getCase") {
    const facts = register.caseOf(argument);
    return facts === undefined ? exceptionOf() : caseContent(facts);
  }
  if (operation === "searchModifiedSince") {
    const publicatieKenmerk = register.modifiedSince(argument);
    return publicatieKenmerk.length === 0 ? exceptionOf() : { publicatieKenmerk };
  }
  const verwijderdeInsolventie = register.removedSince(argument).map(({ caseNumber, reference, reason }) => ({
    insolventienummer: caseNumber,
    publicatieKenmerk: reference,
    reden: reason,
  }));
  return verwijderdeInsolventie.length === 0 ? exceptionOf() : { verwijderdeInsolventie };
}

const REFUSED = "wsse:FailedAuthentication";

/** The fault of a request with a wrong address or login. */
function problemIn(
  envelope: XmlElement | string,
  operation: soap.Operation,
  login: soap.Login,
): string | undefined {
  if (typeof envelope === "string") return envelope;
  const [header, body] = ["Header", "Body"].map((name) => childOf(envelope, name, envelope.namespace));
  const [action, ...addresses] = ["Action", "MessageID", "To"].map((name) =>
    textOf(header, name, soap.ADDRESSING),
  );
  const replyTo = textOf(childOf(header, "ReplyTo", soap.ADDRESSING), "Address", soap.ADDRESSING);
  if (action !== soap.actionOf(operation) || childOf(body, operation, soap.SERVICE) === undefined)
    return "ActionMismatch";
  if ([...addresses, replyTo].includes(undefined)) return "MessageInformationHeaderRequired";
  const security = childOf(header, "Security", soap.WSSE);
  const timestamp = childOf(security, "Timestamp", soap.WSU);
  const [created = "", expires = ""] = ["Created", "Expires"].map((name) =>
    textOf(timestamp, name, soap.WSU),
  );
  const token = childOf(security, "UsernameToken", soap.WSSE);
  const password = childOf(token, "Password", soap.WSSE);
  const isRight =
    textOf(token, "Username", soap.WSSE) === login.user &&
    password?.text === login.password &&
    password.attributes.get("Type") === soap.PASSWORD_TEXT;
  return isRight && Date.parse(created) < Date.parse(expires) ? undefined : REFUSED;
}

function answerReply(
  operation: soap.Operation,
  content: Fields,
  extractedAt: string | undefined,
  version: string,
): Reply {
  const inside = returned(soap.OPERATIONS[operation].returns, content, extractedAt);
  const result = `<${operation}Result>${inside}</${operation}Result>`;
  return reply(
    version,
    `<${operation}Response xmlns="${soap.SERVICE}">${result}</${operation}Response>`,
    200,
  );
}

function faultReply(reason: string, status = 500): Reply {
  return reply(soap.SOAP_11, element("s:Fault", { faultcode: "s:Client", faultstring: reason }), status);
}

function reply(version: string, body: string, status: number): Reply {
  const type = version === soap.SOAP_12 ? "application/soap+xml" : "text/xml";
  const text = `<s:Envelope xmlns:s="${version}"><s:Body>${body}</s:Body></s:Envelope>`;
  return { status, body: {}, text, headers: { "content-type": `${type}; charset=utf-8` } };
}
