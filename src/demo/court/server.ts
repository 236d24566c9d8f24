import { CONTENT, childOf, textOf } from "../../insolvency/court/elements.ts";
import * as soap from "../../insolvency/court/soap.ts";
import { parseXml, type XmlElement } from "../../lib/xml.ts";
import { COMMON_KINDS, type CommonFault, FaultBoard, type FaultOf, oneOf } from "../simulator/faults.ts";
import { Ledger } from "../simulator/ledger.ts";
import { type Reply, sendReply } from "../simulator/sending.ts";
import { type CallPlan, type Incoming, type ListenOptions, startSimulator } from "../simulator/simulator.ts";
import { type Content, CourtRegister, type Fields, referencesOf, type SimulatedCase } from "./register.ts";

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

  const counts = () => ({ all: ledger.all });
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
    searchModifiedSince: { publicatieKenmerk: register.modifiedSince(argument) },
    searchRemovedSince: { verwijderdeInsolventie: register.removedSince(argument) },
    getCase: { insolvente: found && caseContent(found) },
  }[operation];
  const inside = fault?.kind === "exceptie" ? "" : contentOf(content);
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
  const fault = `<s:Fault><faultcode>s:Client</faultcode><faultstring>${soap.escapeXml(reason)}</faultstring></s:Fault>`;
  return reply(soap.SOAP_11, fault, status);
}

function reply(version: string, body: string, status = 200): Reply {
  const type = version === soap.SOAP_12 ? "application/soap+xml" : "text/xml";
  const text = `<s:Envelope xmlns:s="${version}"><s:Body>${body}</s:Body></s:Envelope>`;
  return { status, body: {}, text, headers: { "content-type": `${type}; charset=utf-8` } };
}

const isFields = (content: Content): content is Fields =>
  typeof content === "object" && !Array.isArray(content);

/** The text and elements of a content. */
function contentOf(content: Content): string {
  if (!isFields(content)) return soap.escapeXml(String(content));
  const entries = Object.entries(content).filter(([name]) => !name.startsWith("@"));
  return entries.map(([name, inside]) => element(name, inside)).join("");
}

/** An element for each content of a list; none for undefined. */
function element(name: string, content: Content): string {
  if (content === undefined) return "";
  if (Array.isArray(content)) return content.map((one) => element(name, one)).join("");
  const attributes = Object.entries(isFields(content) ? content : {}).flatMap(([key, value]) =>
    key.startsWith("@") ? ` ${key.slice(1)}="${soap.escapeXml(String(value))}"` : [],
  );
  return `<${name}${attributes.join("")}>${contentOf(content)}</${name}>`;
}

/** A case in the order of the court's schema. */
function caseContent(facts: SimulatedCase): Fields {
  const { caseNumber, court, tradeNames, curators } = facts;
  const references = referencesOf(facts);
  return {
    preHGKInsolventieNummer: caseNumber.replace(/\.\d{2}\//, "."),
    insolventienummer: caseNumber,
    behandelendeInstantieCode: court.code,
    behandelendeInstantieNaam: court.name,
    behandelendeVestigingCode: "0000",
    behandelendeVestigingNaam: "Rommeldam",
    isPreHGKGepubliceerd: false,
    persoon: {
      rechtspersoonlijkheid: facts.isLegalPerson === false ? "natuurlijk persoon" : "rechtspersoon",
      voorletters: facts.initials,
      achternaam: facts.name,
      geboortedatum: facts.bornOn,
      KvKNummer: facts.kvkNumber,
    },
    RC: "mr. R. Commissaris",
    vorigInsolventienummer: facts.previousCaseNumber,
    adressen: { geheimAdres: facts.isAddressSecret === true, adres: facts.address },
    handelendOnderDeNamen: tradeNames && { handelendOnderDeNaam: tradeNames },
    cbvers: curators && { cbv: curators },
    publicatiegeschiedenis: {
      publicatie: facts.publications.map(({ publishedOn, code, text }, index) => ({
        publicatieDatum: publishedOn,
        publicatieKenmerk: references[index],
        publicatieOmschrijving: text,
        publicatieSoortCode: code,
        publicerendeInstantieCode: court.code,
      })),
      instroomLegacy: false,
    },
    eindeVindbaarheid: facts.visibleUntil,
  };
}
