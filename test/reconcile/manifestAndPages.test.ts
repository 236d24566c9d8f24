/** The manifest, suggestions and previews. */
import { beforeAll, describe, expect, it } from "vitest";
import { inject, jsonOf, numberIn } from "../kit/answer.ts";
import { BAKERY, COMPANIES, ENDED, FERRY, kvkNumber, SHIELDED, UNKNOWN } from "../kit/companies.ts";
import { expectBalance, expectError } from "../kit/contractAnswer.ts";
import type { InProcess } from "../kit/inProcess.ts";
import type { TestAccount } from "../kit/world.ts";
import { PATH, serve } from "./reconciling.ts";

const HOSTILE = kvkNumber("53000001");
const MARKUP = `<script>alert("1")</script> & 'Zonen'`;

let service: InProcess;
let account: TestAccount;
beforeAll(async () => {
  const hostile = {
    origin: "import:fabel",
    asOf: "2026-01-01T00:00:00.000Z",
    facts: { kvkNumber: HOSTILE, name: MARKUP, isActive: true },
  };
  service = await serve({ companies: [...COMPANIES, hostile] });
  account = await service.account("plenty");
});

const get = (path: string, key: string | undefined = account.key) =>
  inject(service.app, { path: `${PATH}${path}`, key });
const charge = (answer: Awaited<ReturnType<typeof get>>) => numberIn(answer, "x-tokens-charged");

interface Place {
  readonly service_url: string;
  readonly service_path: string;
}

interface Manifest {
  readonly preview: { readonly url: string };
  readonly suggest: { readonly entity: Place; readonly property: Place; readonly type: Place };
  readonly extend: { readonly propose_properties: Place };
}

const manifestAt = async (at: InProcess, query = "", headers = {}) => {
  const answer = await inject(at.app, { path: `${PATH}${query}`, headers });
  expect([answer.status, answer.headers["cache-control"]]).toEqual([200, "no-store"]);
  expect(answer.headers["access-control-allow-origin"]).toBe("*");
  return { text: answer.text, manifest: jsonOf(answer) as Manifest };
};

describe("the manifest", () => {
  it("needs no key and contains none; its addresses are those of the request", async () => {
    const { manifest, text } = await manifestAt(service, "", { host: "registry.example:8080" });
    expect(text).not.toContain("apikey");
    expect(manifest).toMatchObject({ versions: ["0.2"], defaultTypes: [{ id: "company" }] });
    expect(manifest.preview.url).toBe("http://registry.example:8080/v1/reconcile/preview?id={{id}}");
  });

  it.each(['fabel.example"', "<script>", "fabel.example:80:81", "fabel.example:99999", "[::1"])(
    "is refused for the malformed host %j, which no response repeats",
    async (host) => {
      const answer = await inject(service.app, { path: PATH, headers: { host } });
      expectError(answer, "INVALID_REQUEST");
      expect(answer.text).not.toContain(JSON.stringify(host).slice(1, -1));
      // Other responses do not need it.
      for (const path of ["/v1/health", "/livez", "/v1/openapi.json"]) {
        const { status, text } = await inject(service.app, { path, headers: { host } });
        expect(status).toBe(200);
        expect(text).not.toContain(JSON.stringify(host).slice(1, -1));
      }
    },
  );

  it("uses PUBLIC_URL where it is set", async () => {
    const elsewhere = await serve({ environment: { PUBLIC_URL: "https://registry.fabel.example" } });
    const { manifest } = await manifestAt(elsewhere, "", { host: "127.0.0.1" });
    expect(manifest.preview.url).toMatch(/^https:\/\/registry\.fabel\.example\/v1\//);
    expect(manifest.extend.propose_properties.service_url).toBe("https://registry.fabel.example");
  });

  it("repeats the key of its address in suggestions and previews, which then work", async () => {
    const { manifest } = await manifestAt(service, `?apikey=${account.key}`);
    const { entity, property, type } = manifest.suggest;
    for (const { service_path } of [entity, property, type]) {
      expect(service_path).toContain(`?apikey=${account.key}`);
      const answer = await inject(service.app, { path: `${service_path}&prefix=fabel` });
      expect([service_path, answer.status]).toEqual([service_path, 200]);
    }
    const { pathname, search } = new URL(manifest.preview.url.replace("{{id}}", BAKERY));
    expect((await inject(service.app, { path: pathname + search })).status).toBe(200);
    // OpenRefine appends ?type= to this address.
    const proposing = manifest.extend.propose_properties.service_path;
    expect((await inject(service.app, { path: `${proposing}?type=company` })).status).toBe(200);
  });

  it("encodes any text that is sent as a key", async () => {
    const { manifest } = await manifestAt(service, "?apikey=%22%3E%3Cb%3E%26x=1");
    expect(manifest.suggest.type.service_path).toBe(
      "/v1/reconcile/suggest/type?apikey=%22%3E%3Cb%3E%26x%3D1",
    );
  });
});

describe("suggestions", () => {
  it("of companies are those of autocomplete, at its price", async () => {
    const answer = await get("/suggest/entity?prefix=zuurdesem&spell=always&exact=false&prefixed=true");
    expect(jsonOf(answer)).toEqual({
      result: [
        {
          id: BAKERY,
          name: "Bakkerij De Fabelkorst B.V.",
          description: "Verzinstad, also known as Zuurdesemhuis Fabula",
        },
      ],
    });
    expect(charge(answer)).toBe(1);
  });

  it("for less than two characters are empty and free", async () => {
    for (const query of ["", "?prefix=", "?prefix=a"]) {
      const answer = await get(`/suggest/entity${query}`);
      expect([jsonOf(answer), charge(answer)]).toEqual([{ result: [] }, 0]);
    }
  });

  it("of properties and types match the beginning of a word, and are free but count towards the rate limit", async () => {
    const ids = async (path: string) => {
      const answer = await get(path);
      expectBalance(answer);
      expect(charge(answer)).toBe(0);
      return (jsonOf(answer) as { result: { id: string }[] }).result.map(({ id }) => id);
    };
    expect(await ids("/suggest/property?prefix=num")).toEqual([
      "houseNumber",
      "kvkNumber",
      "vatNumber",
      "vatValid",
    ]);
    expect(await ids("/suggest/property?prefix=Postal%20c")).toEqual(["postalCode"]);
    expect(await ids("/suggest/property")).toContain("legalForm");
    expect(await ids("/suggest/type?prefix=comp")).toEqual(["company"]);
    expect(await ids("/suggest/type?prefix=person")).toEqual([]);
  });

  it("of properties for data extension need no key and depend on the type", async () => {
    const of = async (query: string) =>
      jsonOf(await get(`/properties${query}`, "")) as { properties: unknown[] };
    expect((await of("?type=company&limit=2")).properties).toHaveLength(2);
    expect((await of("?type=")).properties.length).toBeGreaterThan(10);
    expect((await of("?type=person")).properties).toEqual([]);
  });
});

describe("a preview", () => {
  it("is an HTML card of one company for 1 token", async () => {
    const answer = await get(`/preview?id=${BAKERY}`);
    expect(answer.headers["content-type"]).toBe("text/html; charset=utf-8");
    for (const part of [
      "Bakkerij De Fabelkorst B.V.",
      `KVK ${BAKERY}`,
      "Sprookjeslaan 17M",
      "1234 AB Verzinstad",
    ]) {
      expect(answer.text).toContain(part);
    }
    expect(charge(answer)).toBe(1);
    expect((await get(`/preview?id=${ENDED}`)).text).toContain("No longer active");
  });

  it("may be framed by any page, loads nothing and sends no referrer", async () => {
    const { headers } = await get(`/preview?id=${BAKERY}`);
    const policy = headers["content-security-policy"] ?? "";
    expect(policy.split("; ")).toEqual([
      "default-src 'none'",
      expect.stringMatching(/^style-src 'sha256-[A-Za-z0-9+/]{43}='$/),
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors *",
      "sandbox",
    ]);
    expect(headers["x-frame-options"]).toBeUndefined();
    expect(headers["referrer-policy"]).toBe("no-referrer");
    expect(headers["cache-control"]).toBe("private, no-store");
  });

  it("is the only page that may be framed", async () => {
    for (const path of ["/", "/docs/"]) {
      const { headers } = await inject(service.app, { path });
      expect([path, headers["content-security-policy"]]).toEqual([
        path,
        expect.stringContaining("frame-ancestors 'none'"),
      ]);
    }
  });

  it("escapes every text of the company", async () => {
    const { text } = await get(`/preview?id=${HOSTILE}`);
    expect(text).not.toContain("<script");
    expect(text).toContain(
      "<h1>&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#39;Zonen&#39;</h1>",
    );
  });

  it("shows only the city of a shielded address", async () => {
    const { text } = await get(`/preview?id=${SHIELDED}`);
    expect(text).toContain("<p>Stilledorp</p>");
    expect(text).not.toMatch(/Schuilstraat|9876/);
  });

  it("keeps its media type and policy when an Idempotency-Key is repeated", async () => {
    const ask = () =>
      inject(service.app, {
        path: `${PATH}/preview?id=${FERRY}`,
        key: account.key,
        headers: { "idempotency-key": "preview-once" },
      });
    const [first, again] = [await ask(), await ask()];
    expect([charge(first), charge(again), again.headers["idempotency-replayed"]]).toEqual([1, 0, "true"]);
    for (const name of ["content-type", "content-security-policy", "referrer-policy"])
      expect(again.headers[name]).toBe(first.headers[name]);
    expect(again.text).toBe(first.text);
  });

  it("has JSON errors, which are free", async () => {
    for (const [id, code] of [
      [UNKNOWN, "NOT_FOUND"],
      ["123", "INVALID_KVK_NUMBER"],
    ] as const) {
      const answer = await get(`/preview?id=${id}`);
      expectError(answer, code);
      expect(charge(answer)).toBe(0);
    }
  });
});
