import { CONTENT, childOf, textOf } from "../../insolvency/court/elements.ts";
import * as soap from "../../insolvency/court/soap.ts";
import { parseXml, type XmlElement } from "../../lib/xml.ts";
import { COMMON_KINDS, type CommonFault, FaultBoard, type FaultOf, oneOf } from "../simulator/faults.ts";
import { Ledger } from "../simulator/ledger.ts";
import { type Reply, sendReply } from "../simulator/sending.ts";
import { type CallPlan, type Incoming, type ListenOptions, startSimulator } from "../simulator/simulator.ts";
import { CourtRegister, referencesOf, type SimulatedCase, tag } from "./register.ts";

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

export interface CourtSimulatorOptions extends ListenOptions, Partial<soap.Login> {
  readonly register?: CourtRegister;
}
/** A running simulator of the court; its address is for `CIR_URL`. `POST /day` lets a day pass. */
export type CourtSimulator = Awaited<ReturnType<typeof startCourtSimulator>>;

/** The login that a simulator accepts by default. It is of no use anywhere else. */
export const SIMULATED_COURT_LOGIN = { user: "simulated-user", password: "simulated-password" } as const;
const PATH = "/cir.asmx";
const MAX_LOGGED = 10_000;
const NAMES = Object.keys(soap.OPERATIONS);
const ARGUMENT = /<(?:modifyDate|publicationNumber)>([^<]*)</;
const isOperation = (text = ""): text is soap.Operation => NAMES.includes(text);

/** Starts a simulator of the court's web service. @throws when it cannot listen on the address */
export async function startCourtSimulator(options: CourtSimulatorOptions = {}) {
  const { register = new CourtRegister(), ...login } = { ...SIMULATED_COURT_LOGIN, ...options };
  const ledger = new Ledger<soap.Operation, { readonly operation: soap.Operation }>(MAX_LOGGED);
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
    const operation = /\/cir01\/(\w+)</.exec(body)?.[1];
    if (path !== PATH || method !== "POST" || !isOperation(operation)) return faultReply("UnknownAction");
    return {
      targets: [operation, "*"],
      leave: ledger.enter(operation),
      log: () => ledger.write({ operation }),
      answer: async (outgoing, fault) => {
        const problem = problemIn(await parseXml(body), operation, login);
        if (problem !== undefined) return sendReply(outgoing, faultReply(problem));
        const reply = answerReply(register, operation, ARGUMENT.exec(body)?.[1], fault);
        switch (fault?.kind) {
          case "code":
            return sendReply(outgoing, faultReply(fault.code, fault.status));
          case "login":
            return sendReply(outgoing, faultReply(REFUSED));
          case "exceptie":
          case "soap11":
          case "namespace":
          case "otherCase":
            return sendReply(outgoing, reply);
          default:
            return sendReply(outgoing, reply, fault);
        }
      },
    };
  };

  const counts = () => ({ all: ledger.all, operations: ledger.groups });
  const terms = { basePath: "", board, counts, log: () => ledger.log, route };
  const started = await startSimulator(terms, options);
  return Object.assign(started, { url: started.url + PATH, register });
}

const REFUSED = "wsse:FailedAuthentication";

/** The fault of a request with a wrong address or login. */
function problemIn(envelope: XmlElement | string, operation: soap.Operation, login: soap.Login) {
  if (typeof envelope === "string") return envelope;
  const [header, body] = ["Header", "Body"].map((name) => childOf(envelope, name, envelope.namespace));
  const [action, ...others] = ["Action", "MessageID", "To"].map((name) =>
    textOf(header, name, soap.ADDRESSING),
  );
  const replyTo = textOf(childOf(header, "ReplyTo", soap.ADDRESSING), "Address", soap.ADDRESSING);
  if (action !== soap.actionOf(operation) || childOf(body, operation, soap.SERVICE) === undefined)
    return "ActionMismatch";
  if ([...others, replyTo].includes(undefined)) return "MessageInformationHeaderRequired";
  const security = childOf(header, "Security", soap.WSSE);
  const [created = "", expires = ""] = ["Created", "Expires"].map((name) =>
    textOf(childOf(security, "Timestamp", soap.WSU), name, soap.WSU),
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
  register: CourtRegister,
  operation: soap.Operation,
  argument = "",
  fault?: { readonly kind: string; readonly code?: string },
): Reply {
  const asked = register.caseOf(argument);
  const found = fault?.kind === "otherCase" ? register.all.find((facts) => facts !== asked) : asked;
  const content = {
    searchModifiedSince: register.modifiedSince(argument),
    searchRemovedSince: register.removedSince(argument),
    getCase: caseContent(found),
  }[operation];
  const inside = fault?.kind === "exceptie" ? "" : content;
  const exception = `<exceptie errorcode="${fault?.code ?? "1"}">Fout</exceptie>`;
  const { returns } = soap.OPERATIONS[operation];
  const namespace = fault?.kind === "namespace" ? soap.SERVICE : CONTENT;
  const date = operation === "getCase" ? "" : ` extractiedatum="${register.extractedAt}"`;
  const result = `<${returns} xmlns="${namespace}"${date}>${inside || exception}</${returns}>`;
  return reply(
    fault?.kind === "soap11" ? soap.SOAP_11 : soap.SOAP_12,
    `<${operation}Response xmlns="${soap.SERVICE}"><${operation}Result>${result}</${operation}Result></${operation}Response>`,
  );
}

function faultReply(reason: string, status = 500): Reply {
  const fault = tag("faultcode", "s:Client") + tag("faultstring", reason);
  return reply(soap.SOAP_11, `<s:Fault>${fault}</s:Fault>`, status);
}

function reply(version: string, body: string, status = 200): Reply {
  const type = version === soap.SOAP_12 ? "application/soap+xml" : "text/xml";
  const text = `<s:Envelope xmlns:s="${version}"><s:Body>${body}</s:Body></s:Envelope>`;
  return { status, body: {}, text, headers: { "content-type": `${type}; charset=utf-8` } };
}

/** A case in the order of the court's schema, XML. */
function caseContent(facts: SimulatedCase | undefined): string {
  if (facts === undefined) return "";
  const { caseNumber, court, publications } = facts;
  const references = referencesOf(facts);
  const history = publications.map(
    ({ publishedOn, code, text }, index) => `<publicatie>
      ${tag("publicatieDatum", publishedOn)}${tag("publicatieKenmerk", references[index])}
      ${tag("publicatieOmschrijving", text)}${tag("publicatieSoortCode", code)}
      ${tag("publicerendeInstantieCode", court.code)}</publicatie>`,
  );
  const isPerson = facts.isLegalPerson === false;
  return `<insolvente>
    ${tag("preHGKInsolventieNummer", caseNumber.replace(/\.\d{2}\//, "."))}
    ${tag("insolventienummer", caseNumber)}
    ${tag("behandelendeInstantieCode", court.code)}${tag("behandelendeInstantieNaam", court.name)}
    <behandelendeVestigingCode>0000</behandelendeVestigingCode>
    <behandelendeVestigingNaam>Rommeldam</behandelendeVestigingNaam>
    <isPreHGKGepubliceerd>false</isPreHGKGepubliceerd>
    <persoon>${tag("rechtspersoonlijkheid", isPerson ? "natuurlijk persoon" : "rechtspersoon")}
      ${tag("voorletters", isPerson ? "V.L." : undefined)}${tag("achternaam", facts.name)}
      ${tag("geboortedatum", isPerson ? "1970-01-31" : undefined)}${tag("KvKNummer", facts.kvkNumber)}</persoon>
    <RC>mr. R. Commissaris</RC>${tag("vorigInsolventienummer", facts.previousCaseNumber)}
    <adressen>${tag("geheimAdres", String(facts.isAddressSecret === true))}
      ${facts.address === undefined ? "" : `<adres>${facts.address}</adres>`}</adressen>
    <handelendOnderDeNamen>${facts.tradeNames ?? ""}</handelendOnderDeNamen>
    <cbvers>${facts.curators ?? ""}</cbvers>
    <publicatiegeschiedenis>${history.join("")}<instroomLegacy>false</instroomLegacy></publicatiegeschiedenis>
    ${tag("eindeVindbaarheid", facts.visibleUntil)}</insolvente>`;
}
