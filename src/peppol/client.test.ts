import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { peppolSimulator } from "../../test/kit/peppolSimulator.ts";
import { serving } from "../../test/kit/server.ts";
import { CREDIT_NOTE, INVOICE } from "../demo/peppol/participants.ts";
import type { PeppolSimulator } from "../demo/peppol/server.ts";
import { PeppolClient, type PeppolClientOptions } from "./client.ts";

const ID = "0106:90001001";
type Fault = Parameters<PeppolSimulator["setFault"]>[1];
const record = (regexp: string, more: object = {}) => {
  return { order: 10, preference: 10, flags: "U", services: "Meta:SMP", regexp, ...more };
};
const pointing = (...urls: readonly string[]): Fault => {
  return { kind: "records", records: urls.map((url) => record(`!.*!${url}!`)) };
};

let network: PeppolSimulator;
beforeEach(async () => {
  network = await peppolSimulator({ participants: [{ id: ID, documents: [INVOICE, CREDIT_NOTE] }] });
});

const HAS_TURN = { takeTurn: async (name: string) => ({ name, claim: 1, cursor: "" }) };

function client(options: Partial<PeppolClientOptions> = {}): PeppolClient {
  const opened = new PeppolClient({
    zone: network.zone,
    nameServers: [network.dns],
    perSecond: 50,
    turns: HAS_TURN,
    networks: ["127.0.0.0/8"],
    ...options,
  });
  onTestFinished(() => opened.close());
  return opened;
}

const ask = (options: Partial<PeppolClientOptions> = {}, id = ID) =>
  client(options).ask(id, AbortSignal.timeout(60_000));

const REGISTERED = { kind: "registered", receives: ["invoice", "credit_note"], accessPoint: "127.0.0.1" };

describe("the network", () => {
  it("has a participant, and no other", async () => {
    expect(await ask()).toEqual(REGISTERED);
    expect(await ask({}, "0106:90001999")).toEqual({ kind: "not-registered" });
  });

  it.each<[string, "dns" | "smp", Fault, object]>([
    ["a name without records", "dns", { kind: "noData" }, { kind: "not-registered" }],
    ["a cut answer, in full over TCP", "dns", { kind: "truncation" }, REGISTERED],
    ["a slow answer", "dns", { kind: "latency", ms: 300 }, REGISTERED],
    ["SERVFAIL", "dns", { kind: "servfail" }, { reason: "DNS_FAILED", scope: "zone" }],
    ["REFUSED", "dns", { kind: "refused" }, { reason: "DNS_FAILED", scope: "zone" }],
    ["NOTAUTH", "dns", { kind: "notAuth" }, { reason: "DNS_FAILED", scope: "zone" }],
    ["no DNS message", "dns", { kind: "badPacket" }, { reason: "DNS_FAILED", scope: "call" }],
    ["silence", "dns", { kind: "silence" }, { reason: "DNS_FAILED", scope: "zone" }],
    [
      "no usable record",
      "dns",
      { kind: "records", records: [record("!.*!mailto:a@fabel.example!")] },
      { reason: "NO_USABLE_RECORD", scope: "smp" },
    ],
    ["an error of the SMP", "smp", { kind: "code", code: "DOWN", status: 500 }, { reason: "SMP_FAILED" }],
    [
      "an SMP that does not know it",
      "smp",
      { kind: "code", code: "UNKNOWN", status: 404 },
      { reason: "SMP_FAILED" },
    ],
    ["HTML", "smp", { kind: "html", status: 200 }, { reason: "SMP_UNREADABLE" }],
    ["half an answer", "smp", { kind: "truncated" }, { reason: "SMP_FAILED" }],
    ["a reset", "smp", { kind: "reset" }, { reason: "SMP_FAILED" }],
    ["too many requests", "smp", { kind: "tooMany" }, { reason: "SMP_FAILED" }],
    ["20 MB", "smp", { kind: "large" }, { reason: "SMP_FAILED" }],
    ["another participant", "smp", { kind: "wrongParticipant" }, { reason: "SMP_UNREADABLE" }],
    ["a document type", "smp", { kind: "dtd" }, { reason: "SMP_UNREADABLE" }],
    ["a byte order mark", "smp", { kind: "bom" }, REGISTERED],
    ["a compressed answer", "smp", { kind: "compressed", coding: "gzip" }, REGISTERED],
    [
      "a redirect to another host",
      "smp",
      { kind: "redirect", to: "http://localhost/" },
      { reason: "SMP_FAILED" },
    ],
    ["a redirect without end", "smp", { kind: "redirect", to: "#again" }, { reason: "SMP_FAILED" }],
    ["a redirect to a file", "smp", { kind: "redirect", to: "file:///etc/passwd" }, { reason: "SMP_FAILED" }],
  ])("answers with %s", { timeout: 60_000 }, async (_, target, fault, expected) => {
    network.setFault(target, fault);
    const result = await ask();
    expect(result).toMatchObject(expected);
    const isNo = "kind" in expected && expected.kind === "not-registered";
    expect(result.kind === "not-registered").toBe(isNo);
  });

  it("says nothing when the machine does not find its zone", { timeout: 60_000 }, async () => {
    const options = { nameServers: undefined, zone: "peppol.invalid" };
    expect(await ask(options)).toMatchObject({ kind: "no-answer", scope: "zone" });
  });

  it("hangs for as long as a call may take", async () => {
    network.setFault("dns", { kind: "silence" });
    expect(await ask({ callWithinMs: 300 })).toMatchObject({ reason: "DNS_FAILED", scope: "zone" });
    network.setFault("dns", undefined);
    network.setFault("smp", { kind: "hang" });
    expect(await ask({ callWithinMs: 300 })).toMatchObject({ kind: "no-answer", reason: "TIMED_OUT" });
    network.setFault("smp", { kind: "slowBody", everyMs: 100 });
    expect(await ask({ callWithinMs: 300 })).toMatchObject({ kind: "no-answer", reason: "TIMED_OUT" });
  });

  it("is asked by a name of the SMP and over a redirect to the same host", async () => {
    const path = new URL(network.url).port;
    network.setFault("dns", pointing(`http://smp.simulated.example:${path}/smp/`));
    expect(await ask()).toMatchObject({ kind: "registered", accessPoint: "smp.simulated.example" });
  });

  it("is not asked any more after some failures of its zone", async () => {
    network.setFault("dns", { kind: "servfail" });
    const changes: boolean[] = [];
    const one = client({ onChange: (isOpen) => changes.push(isOpen) });
    for (let nth = 0; nth < 6; nth++) await one.ask(`0106:9000200${nth}`, AbortSignal.timeout(10_000));
    expect([changes, one.shown.isOpen, one.health]).toEqual([[true], true, "down"]);
    const before = network.counts;
    const result = await one.ask(ID, AbortSignal.timeout(10_000));
    expect(result).toMatchObject({ kind: "no-answer", reason: "NOT_ASKED" });
    expect(network.counts).toEqual(before);
  });

  it("is busy when no turn comes in time, which says nothing about it", async () => {
    const outcomes: string[] = [];
    const one = client({ turns: { takeTurn: async () => 50 }, onTried: (kind) => outcomes.push(kind) });
    expect(await one.ask(ID, AbortSignal.timeout(200))).toEqual({ kind: "busy" });
    expect([outcomes, network.counts]).toEqual([["busy"], { udp: 0, tcp: 0, smp: 0 }]);
  });
});

describe("an address that a stranger chose", () => {
  it("is called only if it is public, or of a network that the operator allows", {
    timeout: 60_000,
  }, async () => {
    const trap = await serving((_, response) => response.end());
    const { port } = new URL(trap.url);
    const hosts = [
      "127.0.0.1",
      "localhost",
      "0.0.0.0",
      "[::1]",
      "[::ffff:127.0.0.1]",
      "2130706433",
      "0x7f.1",
      "127.1",
    ];
    for (const host of [...hosts, "smp.simulated.example"]) {
      network.setFault("dns", pointing(`http://${host}:${port}`));
      expect(await ask({ networks: [] })).toMatchObject({ kind: "no-answer" });
    }
    for (const url of [
      ...[`https://127.0.0.1:${port}`, `http://user:secret@127.0.0.1:${port}`, `ftp://127.0.0.1:${port}`],
      ...[
        `gopher://127.0.0.1:${port}`,
        "http://169.254.169.254/latest",
        "http://[fd00:ec2::254]/",
        "https://10.0.0.1",
      ],
    ]) {
      network.setFault("dns", pointing(url));
      expect(await ask({ networks: [] })).toMatchObject({ kind: "no-answer" });
    }
    network.setFault("dns", undefined);
    network.setFault("smp", { kind: "redirect", to: trap.url });
    const { port: own } = new URL(network.url);
    expect(await ask({ networks: [`127.0.0.1`] })).toMatchObject({ kind: "no-answer" });
    expect([trap.connections(), own === port]).toEqual([0, false]);
  });
});
