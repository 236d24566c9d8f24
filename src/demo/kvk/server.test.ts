import { describe, expect, it, onTestFinished, vi } from "vitest";
import { kvk as kvkNumberOf, simulator } from "../../../test/kit/kvkSimulator.ts";
import { isJsonObject, type JsonObject } from "../../lib/values.ts";
import { type KvkSimulator, startKvkSimulator } from "./server.ts";
import { SIMULATED_SUBSCRIPTION } from "./signals.ts";

interface Received {
  readonly status: number;
  readonly type: string | null;
  readonly json: JsonObject;
}

async function get({ url, apiKey }: KvkSimulator, path: string, headers: object = {}): Promise<Received> {
  const response = await fetch(url + path, { headers: { apikey: apiKey, ...headers } });
  const parsed: unknown = JSON.parse(await response.text());
  return {
    status: response.status,
    type: response.headers.get("content-type"),
    json: isJsonObject(parsed) ? parsed : {},
  };
}

async function controlled({ controlUrl }: KvkSimulator, method: string, path: string, body?: unknown) {
  const init = body === undefined ? { method } : { method, body: JSON.stringify(body) };
  const response = await fetch(controlUrl + path, init);
  const json: unknown = await response.json();
  return { status: response.status, json };
}

const codeOf = ({ fout }: JsonObject): unknown => {
  const [first]: unknown[] = Array.isArray(fout) ? fout : [];
  return isJsonObject(first) ? first.code : undefined;
};

describe("the simulated KVK", () => {
  it("refuses calls without its key", async () => {
    const kvk = await simulator({ apiKey: "sleutel" });
    const path = "/v1/basisprofielen/90000010";
    for (const apikey of ["", "sleutel ", "Sleutel", "andere-sleutel"].map((key) => key.trim())) {
      const expected = apikey === "sleutel" ? 200 : 401;
      expect((await get(kvk, path, { apikey })).status, apikey).toBe(expected);
    }
    expect((await fetch(kvk.url + path)).status).toBe(401);
  });

  it("sends products with KVK's headers, and errors in KVK's form", async () => {
    const kvk = await simulator();
    expect(await get(kvk, "/v1/basisprofielen/90000010")).toMatchObject({
      status: 200,
      type: "application/hal+json",
      json: { kvkNummer: "90000010", naam: "Eenzame Appel" },
    });
    const errors: readonly (readonly [path: string, status: number, code: string])[] = [
      ["/v1/basisprofielen/1234", 400, "IPD0004"],
      ["/v1/basisprofielen/12345678", 404, "IPD0005"],
      ["/v1/basisprofielen/99999991", 400, "IPD0004"],
      ["/v1/basisprofielen/99999993", 404, "IPD1002"],
      ["/v1/basisprofielen/99999995", 500, "IPD9999"],
      ["/v1/basisprofielen/90000060/vestigingen", 404, "IPD0005"],
      ["/v1/vestigingsprofielen/12345678", 400, "IPD0006"],
      ["/v1/vestigingsprofielen/000000000000", 404, "IPD0007"],
      ["/v2/zoeken?kvkNummer=12345678", 404, "IPD5200"],
      ["/v2/zoeken?naam=appel&onzin=1", 400, "IPD1999"],
      ["/v2/zoeken?naam=appel&pagina=0", 400, "IPD1999"],
      ["/v2/zoeken?naam=appel&pagina=1001", 400, "IPD1999"],
      ["/v2/zoeken?naam=appel&resultatenPerPagina=101", 400, "IPD1999"],
      ["/v2/zoeken?rsin=123456789", 400, "IPD0010"],
    ];
    for (const [path, status, code] of errors) {
      const received = await get(kvk, path);
      expect([received.status, codeOf(received.json)], path).toEqual([status, code]);
      expect(received.type).toBe("application/json");
    }
    expect((await get(kvk, "/v3/zoeken")).status).toBe(404);
    expect((await get(kvk, "/v1/basisprofielen/90000010", { accept: "text/html" })).status).toBe(406);
  });

  it("searches whole words, pages rows, and shows at most a thousand", async () => {
    const companies = Array.from({ length: 1_050 }, (_, index) => ({
      kvkNumber: kvkNumberOf(String(70_000_000 + index)),
      name: `Veelvoud ${index}`,
      isActive: true,
    }));
    const kvk = await simulator({ companies });
    const rows = async (query: string) => (await get(kvk, `/v2/zoeken?${query}`)).json;
    expect(await rows("naam=veel")).toHaveProperty("fout");
    expect(await rows("naam=veelvoud")).toMatchObject({
      pagina: 1,
      resultatenPerPagina: 10,
      totaal: 1_050,
      resultaten: { length: 10 },
      _links: { self: { href: `${kvk.url}/v2/zoeken?naam=veelvoud&pagina=1&resultatenperpagina=10` } },
    });
    expect(await rows("naam=veelvoud&pagina=10&resultatenPerPagina=100")).toMatchObject({
      resultaten: { length: 100 },
    });
    expect(await rows("naam=veelvoud&pagina=11&resultatenPerPagina=100")).toHaveProperty("fout");
    expect(await rows("naam=postduif&plaats=nergenshuizen")).toMatchObject({ totaal: 1 });
    expect(await rows("naam=postduif")).toMatchObject({ totaal: 3 });
  });

  it("refuses calls above the documented rate, and counts the busiest second", async () => {
    // The clock stands still, so that a slow machine does not matter.
    vi.useFakeTimers({ toFake: ["performance"] });
    onTestFinished(() => void vi.useRealTimers());
    const kvk = await simulator({ perSecond: 3 });
    const statuses = await Promise.all(
      Array.from({ length: 8 }, async () => (await get(kvk, "/v1/basisprofielen/90000010")).status),
    );
    expect(statuses.filter((status) => status === 200).length).toBe(3);
    expect(statuses.filter((status) => status === 429).length).toBe(5);
    expect(kvk.counts).toMatchObject({ all: { requests: 8, inFlight: 0 }, maxPerSecond: 8 });
    expect(kvk.log.length).toBe(8);
  });

  it("takes faults over HTTP for one product or all, and explains a wrong one", async () => {
    const kvk = await simulator();
    const path = "/v1/basisprofielen/90000010";
    const fault = { kind: "code", code: "IPD1003" };
    expect(await controlled(kvk, "PUT", "/faults/basisprofiel", fault)).toEqual({
      status: 200,
      json: { basisprofiel: fault },
    });
    expect(codeOf((await get(kvk, path)).json)).toBe("IPD1003");
    expect((await get(kvk, `${path}/vestigingen`)).status).toBe(200);
    await controlled(kvk, "DELETE", "/faults/basisprofiel");
    await controlled(kvk, "PUT", "/faults/*", { kind: "gateway", status: 403 });
    expect((await get(kvk, path)).status).toBe(403);
    await controlled(kvk, "DELETE", "/faults");
    expect((await get(kvk, path)).status).toBe(200);
    expect(await controlled(kvk, "GET", "/counts")).toMatchObject({
      json: { products: { basisprofiel: { requests: 3 }, vestigingen: { requests: 1 } } },
    });
    for (const [target, wrong] of [
      ["basisprofiel", { kind: "fire" }],
      ["basisprofiel", { kind: "code", code: "nee" }],
      ["basisprofiel", { kind: "hang", ms: 1 }],
      ["jaarrekening", { kind: "hang" }],
    ] as const) {
      const { status, json } = await controlled(kvk, "PUT", `/faults/${target}`, wrong);
      expect(status).toBeGreaterThanOrEqual(400);
      expect(json).toMatchObject({ error: { code: "BAD_CONTROL_REQUEST" } });
    }
  });

  it("hangs until the fault ends, and closes every connection when it stops", async () => {
    const kvk = await simulator();
    kvk.setFault("*", { kind: "hang" });
    const hanging = get(kvk, "/v1/basisprofielen/90000010");
    while (kvk.counts.all.inFlight === 0) await new Promise((resolve) => setImmediate(resolve));
    kvk.clearFaults();
    expect((await hanging).status).toBe(200);
    kvk.setFault("*", { kind: "hang" });
    const cut = get(kvk, "/v1/basisprofielen/90000010").catch(() => "cut");
    while (kvk.counts.all.inFlight === 0) await new Promise((resolve) => setImmediate(resolve));
    await kvk.stop();
    expect(await cut).toBe("cut");
  });
});

describe("the simulated open data", () => {
  const path = (kvkNumber: string) => `/v1/hvds/basisbedrijfsgegevens/kvknummer/${kvkNumber}`;

  it("has BVs and NVs in the recorded form, without a key", async () => {
    const kvk = await simulator();
    for (const { facts } of [...kvk.register.all].slice(0, 200)) {
      const { status, json } = await get(kvk, path(facts.kvkNumber), { apikey: "" });
      if (facts.legalForm !== "BV" && facts.legalForm !== "NV") expect(status).toBe(404);
      else {
        expect(json).toMatchObject({
          rechtsvormCode: facts.legalForm,
          actief: facts.isActive ? "J" : "N",
          lidstaat: "NL",
        });
        expect(Object.keys(json)).not.toContain("kvkNummer");
        expect(Object.keys(json)).not.toContain("insolventieCode");
      }
    }
    expect(kvk.url).toBe(`${kvk.openDataUrl}/api`);
  });

  it("allows one call a minute by default, apart from the calls of the API", async () => {
    const kvk = await startKvkSimulator();
    onTestFinished(() => kvk.stop());
    const first = await fetch(kvk.url + path("90000010"));
    const second = await fetch(kvk.url + path("90000010"));
    expect([first.status, second.status, second.headers.get("retry-after")]).toEqual([404, 429, "60"]);
    expect((await get(kvk, "/v1/basisprofielen/90000010")).status).toBe(200);
    expect(kvk.counts.products["open-data"].requests).toBe(2);
  });
});

describe("the simulated Mutatieservice", () => {
  const path = `/v1/abonnementen/${SIMULATED_SUBSCRIPTION}`;

  it("lists the subscription, pages of signals by time, and each signal", async () => {
    const kvk = await simulator();
    const atMs = Date.parse("2026-05-01T10:00:00Z");
    const ids = Array.from({ length: 25 }, (_, index) =>
      kvk.signals.add({ kvkNumber: String(90_000_010 + index), atMs: atMs + index * 1_000 }),
    );
    expect((await get(kvk, "/v1/abonnementen")).json).toMatchObject({
      abonnementen: [{ id: SIMULATED_SUBSCRIPTION }],
    });
    const period = "vanaf=2026-05-01T10:00:05Z&tot=2026-05-01T10:00:20Z";
    const { json } = await get(kvk, `${path}?${period}&aantal=10&pagina=2`);
    expect(json).toMatchObject({ pagina: 2, aantal: 10, totaal: 15, totaalPaginas: 2 });
    expect(json["signalen"]).toHaveLength(5);
    expect(json["signalen"]).toMatchObject([{ id: ids[15], kvknummer: "90000025" }, {}, {}, {}, {}]);
    expect((await get(kvk, `${path}/signalen/${ids[3]}`)).json).toMatchObject({
      signaal: { berichtId: ids[3] },
    });
  });

  it.each([
    ["/v1/abonnementen/other", 404],
    [`${path}/signalen/none`, 404],
    [`${path}?aantal=9`, 400],
    [`${path}?aantal=501`, 400],
    [`${path}?pagina=0`, 400],
    [`${path}?vanaf=gisteren`, 400],
  ])("refuses %s as a problem (RFC 7807)", async (wrong, status) => {
    const kvk = await simulator();
    expect(await get(kvk, wrong)).toMatchObject({
      status,
      type: "application/problem+json",
      json: { status },
    });
  });

  it("requires the key", async () => {
    const kvk = await simulator();
    expect((await get(kvk, path, { apikey: "" })).status).toBe(401);
  });
});
