/** The parts of the docs page without a browser: guides, search, addresses and example code. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { guideOf, readGuides } from "../../build/guides.ts";
import { type DocsRoute, docsLink, readRoute } from "../../dashboard/src/docs/address.ts";
import { type ApiDocument, operationsOf } from "../../dashboard/src/docs/document/openapi.ts";
import { blocksOf } from "../../dashboard/src/docs/markdown/blocks.ts";
import { entriesOf, find } from "../../dashboard/src/docs/search.ts";
import { texts } from "../../dashboard/src/docs/texts.ts";
import { snippetOf } from "../../dashboard/src/snippets/snippets.ts";
import { MAX_FOLLOWERS, SESSION_SECONDS } from "../../src/contract/typingSession.ts";
import { textOf } from "../architecture/repository.ts";
import { CURLS } from "../kit/curls.ts";
import { itWith, nothing } from "../kit/needs.ts";
import { servingPort } from "../kit/server.ts";

const document = JSON.parse(textOf("openapi.json")) as ApiDocument;
const operations = operationsOf(document);
const guides = readGuides();

describe("a guide", () => {
  const bodyOf = (text: string) => {
    const calls = new Map([["GET /v1/search", "get-v1-search"]]);
    return guideOf("errors", `# Errors\n\nFirst: see [it](limits.md). Second.\n\n${text}`, calls);
  };

  it("has its title and first sentence as plain text", () => {
    expect(bodyOf("")).toMatchObject({ name: "errors", title: "Errors", about: "First: see it." });
    expect(() => guideOf("errors", "Errors", new Map())).toThrow("needs a title");
  });

  it.each([
    ["[limits](limits.md)", "[limits](#/guides/limits)"],
    ["[limits](limits.md#sign-in)", "[limits](#/guides/limits/sign-in)"],
    ["[below](#the-codes)", "[below](#/guides/errors/the-codes)"],
    ["[the `lists`](lists.md)", "[the lists](#/guides/lists)"],
    ["[plans](api.md#plans)", "[plans](#/overview/tiers)"],
    ["[calls](api.md)", "[calls](#/overview)"],
    ["[`opzoek`](commands.md#all) and [why](decisions/0001-snapshot-and-state.md)", "`opzoek` and why"],
    ["[a site](https://site.example/x.md)", "[a site](https://site.example/x.md)"],
    ["`GET /v1/search`", "[GET /v1/search](#/calls/get-v1-search)"],
    ["`GET /v1/search?q=a`", "`GET /v1/search?q=a`"],
    ["```sh\n[a](limits.md) `GET /v1/search`\n```", "```sh\n[a](limits.md) `GET /v1/search`\n```"],
  ])("has %s as %s", (written, shown) => {
    expect(bodyOf(written).body.split("\n\n").slice(1).join("\n\n")).toBe(shown);
  });

  it.each(guides.map((guide) => [guide.name, guide] as const))(
    "%s has a title above each column",
    (_, { body }) => {
      const heads = blocksOf(body).flatMap((block) =>
        block.type === "table" ? [block.header.map(({ text }) => text)] : [],
      );
      expect(heads.filter((head) => head.includes("") || new Set(head).size < head.length)).toEqual([]);
    },
  );

  it("about limits states the limits of a typing session", () => {
    const minutes = SESSION_SECONDS / 60;
    expect(textOf("docs/limits.md")).toContain(
      `Up to ${MAX_FOLLOWERS} calls with the same key within the next ${minutes} minutes are free`,
    );
  });

  it.each(guides.map((guide) => [guide.name, guide] as const))(
    "%s starts with one short sentence",
    (_, { about }) => {
      expect(about.length).toBeLessThan(200);
      expect(about).toMatch(/^[A-Z<].*\.$/);
    },
  );
});

describe("a call", () => {
  it("belongs to a group with a name in both languages", () => {
    const tags = document.tags.map(({ name }) => name).sort();
    for (const { tags: named } of Object.values(texts)) expect(Object.keys(named).sort()).toEqual(tags);
  });

  it("that takes a list declares its formats, its statuses and its idempotency", () => {
    const of = (name: string) => operations.find(({ id }) => id === name);
    expect(of("post-v1-jobs")).toMatchObject({
      bodyTypes: ["application/x-ndjson", "text/csv"],
      statuses: ["200", "202"],
      answerTypes: ["application/json"],
    });
    expect(of("post-v1-jobs")?.parameters.map(({ name }) => name)).toContain("Idempotency-Key");
    expect(of("get-v1-jobs-jobId-results")?.answerTypes).toEqual(["application/x-ndjson", "text/csv"]);
  });
});

describe("an address", () => {
  const nameAt = (fragment: string) => {
    const route = readRoute(fragment);
    return route.kind === "overview" ? "" : route.name;
  };

  it("leads to its view, whatever the names are", () => {
    const name = fc.string({ minLength: 1, unit: "grapheme" });
    const anchor = fc.option(name, { nil: undefined });
    const routes = fc.oneof(
      fc.record({ kind: fc.constant("overview" as const), anchor }),
      fc.record({
        kind: fc.constantFrom("guides" as const, "calls" as const, "objects" as const),
        name,
        anchor,
      }),
    );
    fc.assert(
      fc.property(routes, (route: DocsRoute) => {
        expect(readRoute(docsLink(route))).toEqual(route);
      }),
    );
  });

  it("that is unknown leads to the overview", () => {
    for (const fragment of ["", "#", "#/", "#/nothing", "#/guides", "#/guides/", "#content"])
      expect(readRoute(fragment).kind).toBe("overview");
    expect(readRoute("#/guides/%zz")).toMatchObject({ kind: "guides", name: "%zz" });
  });

  it("of a moved guide leads to its new place", () => {
    const names = [
      "first-call",
      "test-keys",
      "errors",
      "vat",
      "lists",
      "autocomplete",
      "limits",
      "clients",
      "models",
    ];
    const known = guides.map(({ name }) => name);
    for (const name of names) expect(known).toContain(nameAt(`#/guides/${name}`));
    expect(nameAt("#/guides/models")).toBe("mcp");
    expect(nameAt("#/guides/lists/what-comes-back")).toBe("batches");
    expect(nameAt("#/guides/lists/send-it")).toBe("lists");
  });
});

describe("the search", () => {
  const entries = entriesOf(document, operations, guides);
  const titles = (typed: string) => find(entries, typed).map(({ title }) => title);

  it("finds guides, calls, parameters, fields and codes by prefixes of their words", () => {
    expect(titles("limits")[0]).toBe("Limits");
    expect(titles("retr err")).toContain("Errors and retries");
    expect(titles("vatMaxAge")[0]).toBe("vatMaxAge");
    expect(titles("company")[0]).toBe("Company");
    expect(titles("rate_limit_exceeded")[0]).toBe("RATE_LIMIT_EXCEEDED");
    expect(titles("validate vat")).toContain("Validate a VAT number");
    expect(find(entries, "consultationnumber").map(({ href }) => href)).toContain("#/guides/vat");
  });

  it.each([
    ["btw", "VAT statuses"],
    ["btw-nummer", "VAT statuses"],
    ["prijs", "Prices"],
    ["prijzen", "Prices"],
    ["kosten", "Prices"],
    ["terugbetaling", "Prices"],
    ["refund", "Prices"],
    ["sleutels", "Test keys"],
    ["bedrijf", "Company"],
    ["bedr", "Company"],
    ["zoeken", "Search companies"],
    ["koppelen", "Matching names"],
    ["wijzigingen", "Change a monitor"],
    ["fouten", "Errors and retries"],
    ["zip", "postalCode"],
    ["csharp", "First call"],
    ["lijsten", "List all lists"],
    ["monitoring", "Monitor companies"],
    ["verbruik", "Show this month's usage"],
    ["openrefine", "OpenRefine"],
    ["kvk-nummer", "kvkNumber"],
    ["tarieven", "Prices"],
    ["abonnementen", "Tiers"],
    ["testsleutel", "Keys in web pages"],
    ["foutmelding", "Errors and retries"],
    ["vestigingen", "Branch"],
    ["limieten", "Limits"],
    ["insolventie", "Test keys"],
    ["suggesties", "OpenRefine"],
    ["reconcile", "OpenRefine"],
    ["plans", "Limits"],
  ])("finds what %s means: %s", (typed, title) => {
    expect(titles(typed)).toContain(title);
  });

  it("finds nothing for empty or unknown input, and treats special characters literally", () => {
    for (const typed of ["", "  ", "xyzzy", "limits xyzzy", "[a-", "\\", ".*", "a{9}"])
      expect(titles(typed)).toEqual([]);
    expect(find(entries, "a").length).toBeLessThanOrEqual(20);
  });
});

describe("example code for a call", () => {
  let address: string;
  let received: { path: string; body: string; key: string | undefined }[] = [];
  beforeAll(async () => {
    const port = await servingPort(async (request, response) => {
      let body = "";
      for await (const chunk of request.setEncoding("utf8")) body += chunk;
      received.push({ path: request.url ?? "", body, key: request.headers.authorization });
      response.writeHead(200, { "content-type": "application/json" });
      response.end("{}");
    });
    address = `http://127.0.0.1:${port}`;
  });

  const run = promisify(execFile);
  const node = { name: "Node.js", need: nothing, path: () => "" };
  for (const { name, need, language, command, path: pathOf } of [
    ...CURLS.map((curl) => ({ ...curl, language: "curl" as const, command: ["sh", "-c"] })),
    {
      ...node,
      language: "javascript" as const,
      command: [process.execPath, "--input-type=module", "--eval"],
    },
  ]) {
    itWith(need, `sends typed values without executing them: ${name}`, async () => {
      const typed = `a'b"c $HOME \`id\` $(id) \\ ; & é 😀 \${x} %41`;
      const body = JSON.stringify({ typed });
      const path = `/v1/x?${new URLSearchParams({ typed })}&quote='`;
      received = [];
      for (const request of [
        { method: "POST", url: address + path, needsKey: true, body },
        { method: "GET", url: address + path, needsKey: false, body: undefined },
      ] as const) {
        const [interpreter = "", ...words] = command;
        const env = { PATH: pathOf(), OPZOEK_KEY: "opz_test_key" };
        await run(interpreter, [...words, snippetOf(language, request)], { env });
      }
      const [posted, got] = received;
      expect(JSON.parse(posted?.body ?? "")).toEqual({ typed });
      expect(posted?.key).toBe("Bearer opz_test_key");
      expect(new URLSearchParams(got?.path.split("?")[1]).get("typed")).toBe(typed);
      expect([got?.body, got?.key]).toEqual(["", undefined]);
    });
  }
});
