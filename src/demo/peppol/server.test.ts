import { createSocket } from "node:dgram";
import { Resolver } from "node:dns/promises";
import { once } from "node:events";
import { connect, createServer } from "node:net";
import { describe, expect, it } from "vitest";
import { FABEL, LEGENDE, peppolSimulator, SPROOKJE } from "../../../test/kit/peppolSimulator.ts";
import { parseXml, type XmlElement } from "../../lib/xml.ts";
import { hostOf, SIMULATED_SMP_HOST } from "./dns.ts";
import { CREDIT_NOTE, INVOICE } from "./participants.ts";
import type { PeppolSimulator } from "./server.ts";
import { OTHER_ID } from "./smp.ts";

/** A resolver that asks only once. */
function resolverOf({ dns }: PeppolSimulator): Resolver {
  const resolver = new Resolver({ timeout: 200, tries: 1 });
  resolver.setServers([dns]);
  return resolver;
}

const naptrOf = (peppol: PeppolSimulator, id: string) => resolverOf(peppol).resolveNaptr(hostOf(id));
const addressOf = (smp: string, id: string) => `${smp}/${encodeURIComponent(`iso6523-actorid-upis::${id}`)}`;
const groupOf = (peppol: PeppolSimulator, id: string, init: RequestInit = {}) =>
  fetch(addressOf(peppol.url, id), init);

async function xmlOf(peppol: PeppolSimulator, id: string): Promise<XmlElement> {
  const root = await parseXml(await (await groupOf(peppol, id)).text());
  if (typeof root === "string") throw new Error(root);
  return root;
}

describe("the DNS server of simulated Peppol", () => {
  it("names the SMP of a participant, under the hash of its identifier", async () => {
    const peppol = await peppolSimulator();
    expect(hostOf("9915:test")).toBe(
      `eh5boavaktmbgzyh2a63dz4qov33fvp5nsdvqklucfraayoodw6a.iso6523-actorid-upis.${peppol.zone}`,
    );
    const record = {
      order: 100,
      preference: 10,
      flags: "U",
      service: "Meta:SMP",
      regexp: `!.*!${peppol.url}!`,
      replacement: "",
    };
    expect(await naptrOf(peppol, FABEL.id)).toEqual([record]);
    expect(await resolverOf(peppol).resolveNaptr(hostOf(SPROOKJE.id).toUpperCase())).toEqual([record]);
    expect(peppol.counts).toEqual({ udp: 2, tcp: 0, smp: 0 });
  });

  it("knows participants from put to remove", async () => {
    const peppol = await peppolSimulator({ participants: [] });
    await expect(naptrOf(peppol, FABEL.id)).rejects.toMatchObject({ code: "ENOTFOUND" });
    expect((await groupOf(peppol, FABEL.id)).status).toBe(404);
    peppol.put(FABEL);
    expect(await naptrOf(peppol, FABEL.id)).toHaveLength(1);
    expect((await groupOf(peppol, FABEL.id)).status).toBe(200);
    peppol.remove(FABEL.id);
    await expect(naptrOf(peppol, FABEL.id)).rejects.toMatchObject({ code: "ENOTFOUND" });
  });

  it("has an address for the SMP, and for no other name", async () => {
    const peppol = await peppolSimulator();
    const resolver = resolverOf(peppol);
    expect(await resolver.resolve4(SIMULATED_SMP_HOST)).toEqual(["127.0.0.1"]);
    await expect(resolver.resolve6(SIMULATED_SMP_HOST)).rejects.toMatchObject({ code: "ENODATA" });
    await expect(resolver.resolve4(hostOf(FABEL.id))).rejects.toMatchObject({ code: "ENODATA" });
    await expect(resolver.resolve4("other.simulated.example")).rejects.toMatchObject({ code: "ENOTFOUND" });
  });

  it.each([
    ["noData", "ENODATA"],
    ["servfail", "ESERVFAIL"],
    ["refused", "EREFUSED"],
    ["silence", "ETIMEOUT"],
    ["badPacket", "EBADRESP"],
  ] as const)("fails with %s as %s", async (kind, code) => {
    const peppol = await peppolSimulator();
    peppol.setFault("dns", { kind });
    await expect(naptrOf(peppol, FABEL.id)).rejects.toMatchObject({ code });
    expect(peppol.counts).toMatchObject({ udp: 1, tcp: 0 });
    peppol.clearFaults();
    expect(await naptrOf(peppol, FABEL.id)).toHaveLength(1);
  });

  it("answers for another name, which the resolver of Node.js takes for the right one", async () => {
    const peppol = await peppolSimulator();
    peppol.setFault("dns", { kind: "wrongOwner" });
    expect(await naptrOf(peppol, FABEL.id)).toMatchObject([{ regexp: `!.*!${peppol.url}!` }]);
  });

  it("answers over TCP after a truncated response", async () => {
    const peppol = await peppolSimulator();
    peppol.setFault("dns", { kind: "truncation" });
    const resolver = resolverOf(peppol);
    const answers = await Promise.all([FABEL, SPROOKJE].map(({ id }) => resolver.resolveNaptr(hostOf(id))));
    expect(answers.flat()).toHaveLength(2);
    await expect(naptrOf(peppol, OTHER_ID)).rejects.toMatchObject({ code: "ENOTFOUND" });
    expect(peppol.counts).toEqual({ udp: 3, tcp: 3, smp: 0 });
  });

  it("fails every other question, and waits while it hangs", async () => {
    const peppol = await peppolSimulator();
    peppol.setFault("*", { kind: "flapping", code: "DOWN" });
    await expect(naptrOf(peppol, FABEL.id)).rejects.toMatchObject({ code: "ESERVFAIL" });
    expect(await naptrOf(peppol, FABEL.id)).toHaveLength(1);
    peppol.setFault("dns", { kind: "hang" });
    await expect(naptrOf(peppol, FABEL.id)).rejects.toMatchObject({ code: "ETIMEOUT" });
  });

  it("answers with other records, also set over HTTP", async () => {
    const peppol = await peppolSimulator();
    const regexp = `!^.*$!http://${SIMULATED_SMP_HOST}:${peppol.port}/smp!`;
    const other = { order: 1, preference: 2, flags: "u", services: "meta:smp", regexp };
    const set = (records: unknown) =>
      fetch(`${peppol.controlUrl}/faults/dns`, {
        method: "PUT",
        body: JSON.stringify({ kind: "records", records }),
      });
    expect((await set([other, { ...other, order: 2 }])).status).toBe(200);
    const { services, ...fields } = other;
    const records = await naptrOf(peppol, FABEL.id);
    expect(records.toSorted((one, two) => one.order - two.order)).toMatchObject([
      { ...fields, service: services },
      { order: 2 },
    ]);
    await expect(naptrOf(peppol, OTHER_ID)).rejects.toMatchObject({ code: "ENOTFOUND" });
    expect((await set(["text"])).status).toBe(400);
    expect((await set([])).status).toBe(200);
    await expect(naptrOf(peppol, FABEL.id)).rejects.toMatchObject({ code: "ENODATA" });
  });

  it("outlives callers that send no questions or are gone", async () => {
    const peppol = await peppolSimulator();
    const port = Number(peppol.dns.split(":")[1]);
    const udp = createSocket("udp4");
    await new Promise((sent) => udp.send("no question", port, "127.0.0.1", sent));
    udp.close();
    const tcp = connect(port, "127.0.0.1");
    await once(tcp, "connect");
    tcp.write(Buffer.from([0, 3, 1, 2, 3]));
    tcp.resetAndDestroy();
    expect(await naptrOf(peppol, FABEL.id)).toHaveLength(1);
    expect(peppol.counts).toMatchObject({ udp: 1, tcp: 0 });
  });

  it("stops at once, and both ports are free again", async () => {
    const peppol = await peppolSimulator();
    const dnsPort = Number(peppol.dns.split(":")[1]);
    const tcp = connect(dnsPort, "127.0.0.1");
    await once(tcp, "connect");
    const closed = once(
      tcp.on("error", () => undefined),
      "close",
    );
    await peppol.stop();
    await peppol.stop();
    await closed;
    for (const port of [peppol.port, dnsPort]) {
      const server = createServer().listen(port, "127.0.0.1");
      await once(server, "listening");
      server.close();
    }
  });
});

describe("the SMP of simulated Peppol", () => {
  it("lists the document types of a participant, encoded in addresses", async () => {
    const peppol = await peppolSimulator();
    const root = await xmlOf(peppol, FABEL.id);
    const namespace = "http://busdox.org/serviceMetadata/publishing/1.0/";
    expect(root).toMatchObject({ name: "ServiceGroup", namespace });
    const [participant, collection] = root.children;
    expect(participant).toMatchObject({
      name: "ParticipantIdentifier",
      namespace: "http://busdox.org/transport/identifiers/1.0/",
      attributes: new Map([["scheme", "iso6523-actorid-upis"]]),
      text: FABEL.id,
    });
    const services = `${addressOf(peppol.url, FABEL.id)}/services`;
    expect(collection?.children.map(({ attributes }) => attributes.get("href"))).toEqual(
      [INVOICE, CREDIT_NOTE].map((document) => `${services}/${encodeURIComponent(document)}`),
    );
    expect(peppol.counts).toEqual({ udp: 0, tcp: 0, smp: 1 });
  });

  it("lists them in the second version, with the scheme apart", async () => {
    const peppol = await peppolSimulator();
    const root = await xmlOf(peppol, SPROOKJE.id.toLowerCase());
    const oasis = "http://docs.oasis-open.org/bdxr/ns/SMP/2";
    expect(root).toMatchObject({ name: "ServiceGroup", namespace: `${oasis}/ServiceGroup` });
    const [version, participant, ...references] = root.children;
    const namespace = `${oasis}/BasicComponents`;
    expect(version).toMatchObject({ name: "SMPVersionID", text: "2.0" });
    const attributes = new Map([["schemeID", "iso6523-actorid-upis"]]);
    expect(participant).toMatchObject({ name: "ParticipantID", namespace, attributes, text: SPROOKJE.id });
    const documents = references.flatMap(({ children }) =>
      children.map(({ attributes: own, text }) => `${own.get("schemeID")}::${text}`),
    );
    expect(documents).toEqual([INVOICE, CREDIT_NOTE]);
    expect(references[0]).toMatchObject({
      name: "ServiceReference",
      namespace: `${oasis}/AggregateComponents`,
      children: [{ name: "ID", namespace }],
    });
  });

  it("knows no other addresses, schemes and methods", async () => {
    const peppol = await peppolSimulator();
    const paths = ["", "/", "/x", "/other%3A%3A0106%3A90001001", "/%", "/iso6523-actorid-upis%3A%3A"];
    const statuses = paths.map(async (path) => (await fetch(peppol.url + path)).status);
    expect(await Promise.all(statuses)).toEqual(paths.map(() => 404));
    expect((await groupOf(peppol, FABEL.id, { method: "POST" })).status).toBe(405);
  });

  it("redirects", async () => {
    const peppol = await peppolSimulator();
    const to = "http://elsewhere.simulated.example/";
    peppol.setFault("smp", { kind: "redirect", to });
    const answer = await groupOf(peppol, FABEL.id, { redirect: "manual" });
    expect([answer.status, answer.headers.get("location")]).toEqual([302, to]);
  });

  it("sends more than 20 MB of XML, of which a caller may read a part", async () => {
    const peppol = await peppolSimulator();
    peppol.setFault("smp", { kind: "large" });
    const whole = await (await groupOf(peppol, FABEL.id)).text();
    expect(whole.length).toBeGreaterThan(20_000_000);
    expect(whole.slice(5_000, -100).trim()).toBe("");
    expect(await parseXml(whole.slice(0, 5_000) + whole.slice(-100))).toMatchObject({ name: "ServiceGroup" });
    const stopped = new AbortController();
    const { body } = await groupOf(peppol, FABEL.id, { signal: stopped.signal });
    expect((await body?.getReader().read())?.value?.length).toBeGreaterThan(0);
    stopped.abort();
    peppol.clearFaults();
    expect((await groupOf(peppol, FABEL.id)).status).toBe(200);
  });

  it("answers for another participant, and with an entity", async () => {
    const peppol = await peppolSimulator();
    peppol.setFault("smp", { kind: "wrongParticipant" });
    expect((await xmlOf(peppol, FABEL.id)).children[0]?.text).toBe(OTHER_ID);
    peppol.setFault("smp", { kind: "dtd" });
    await expect(xmlOf(peppol, FABEL.id)).rejects.toThrow("dtd");
    expect(await (await groupOf(peppol, FABEL.id)).text()).toContain(">&participant;<");
  });

  it("fails in the common ways, and not with faults of the DNS server", async () => {
    const peppol = await peppolSimulator();
    peppol.setFault("*", { kind: "html" });
    const page = await groupOf(peppol, LEGENDE.id);
    expect([page.status, await page.text()]).toEqual([503, expect.stringContaining("<html>")]);
    expect(await naptrOf(peppol, LEGENDE.id)).toHaveLength(1);
    peppol.setFault("smp", { kind: "code", code: "BROKEN", status: 502 });
    expect((await groupOf(peppol, LEGENDE.id)).status).toBe(502);
    peppol.setFault("smp", { kind: "reset" });
    await expect(groupOf(peppol, LEGENDE.id)).rejects.toThrow();
    peppol.setFault("smp", { kind: "servfail" });
    expect((await groupOf(peppol, LEGENDE.id)).status).toBe(200);
  });
});
