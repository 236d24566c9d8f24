import { unescape as decoded } from "node:querystring";
import { PARTICIPANT_SCHEME } from "../../peppol/participants.ts";
import { type Reply, sendReply } from "../simulator/sending.ts";
import { type CallPlan, type Incoming, type ListenOptions, startSimulator } from "../simulator/simulator.ts";
import { type DnsQuery, dnsResponse, hostOf, SIMULATED_ZONE } from "./dns.ts";
import { startDnsServer } from "./dnsServer.ts";
import { isOwn, type OwnFault, openFaultBoard, type PeppolTarget } from "./faults.ts";
import { type SimulatedParticipant, sendLarge, serviceGroup } from "./smp.ts";

export interface PeppolSimulatorOptions extends ListenOptions {
  readonly participants?: Iterable<SimulatedParticipant>;
}
/** A running simulator of Peppol: a DNS server (`dns`, an address and port) and the SMP of all participants (`url`). */
export type PeppolSimulator = Awaited<ReturnType<typeof startPeppolSimulator>>;

const BASE_PATH = "/smp";

/** Starts a simulator of Peppol. @throws when it cannot listen on a port */
export async function startPeppolSimulator(options: PeppolSimulatorOptions = {}) {
  const participants = new Map<string, SimulatedParticipant>();
  const put = (facts: SimulatedParticipant): void => void participants.set(hostOf(facts.id), facts);
  for (const facts of options.participants ?? []) put(facts);
  const board = openFaultBoard();
  const counts = { udp: 0, tcp: 0, smp: 0 };

  const route = ({ request, method, path }: Incoming): CallPlan<PeppolTarget, OwnFault> | Reply => {
    if (path === "" || method !== "GET") return reply(path === "" ? 404 : 405);
    counts.smp += 1;
    const [, scheme, id = ""] = /^\/([^/]*?)::([^/]+)$/.exec(decoded(path)) ?? [];
    const found = scheme === PARTICIPANT_SCHEME ? participants.get(hostOf(id)) : undefined;
    const smp = `http://${request.headers.host}${BASE_PATH}`;
    return {
      targets: ["smp", "*"],
      answer: (outgoing, fault) => {
        const usual = found === undefined ? reply(404) : reply(200, serviceGroup(found, smp, fault?.kind));
        if (fault?.kind === "code") return sendReply(outgoing, reply(fault.status ?? 500, fault.code));
        if (fault?.kind === "redirect") return sendReply(outgoing, reply(302, "", { location: fault.to }));
        if (fault?.kind === "large") return sendLarge(outgoing, usual);
        return sendReply(outgoing, usual, fault === undefined || isOwn(fault) ? undefined : fault);
      },
    };
  };
  const terms = { basePath: BASE_PATH, board, counts: () => ({ ...counts }), log: () => [], route };
  const simulator = await startSimulator(terms, options);

  const regexp = `!.*!${simulator.url}!`;
  const usual = [{ order: 100, preference: 10, flags: "U", services: "Meta:SMP", regexp }];
  const stopping = new AbortController();
  const answer = async (query: DnsQuery) => {
    counts[query.transport] += 1;
    const fault = await board.meet(["dns", "*"], stopping.signal);
    if (fault === "gone") return undefined;
    const records = fault?.kind === "records" ? fault.records : usual;
    return dnsResponse(query, participants.has(query.name.toLowerCase()) ? records : undefined, fault?.kind);
  };
  const stopSmp = simulator.stop;
  const dns = await startDnsServer(answer, stopping.signal).catch(async (error: unknown) => {
    await stopSmp();
    throw error;
  });
  return Object.assign(simulator, {
    dns: dns.address,
    zone: SIMULATED_ZONE,
    put,
    remove: (id: string): void => void participants.delete(hostOf(id)),
    stop: async () => {
      stopping.abort();
      await Promise.all([dns.closed, stopSmp()]);
    },
  });
}

function reply(status: number, text = "", headers = {}): Reply {
  return { status, body: {}, text, headers: { "content-type": "text/xml;charset=UTF-8", ...headers } };
}
