/** What the docs page is made of, without a browser: its texts, its search, its addresses, and the programs that it writes. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { type DocsRoute, linkTo, readRoute } from "../../dashboard/src/docs/address.ts";
import { type ApiDocument, operationsOf } from "../../dashboard/src/docs/document/openapi.ts";
import { blocksOf, plainText, spansOf } from "../../dashboard/src/docs/markdown/blocks.ts";
import { entriesOf, find } from "../../dashboard/src/docs/search.ts";
import { texts } from "../../dashboard/src/docs/texts.ts";
import { snippetOf } from "../../dashboard/src/snippets/snippets.ts";
import { textOf } from "../architecture/repository.ts";
import { CURLS } from "../kit/curls.ts";
import { itWith, nothing } from "../kit/needs.ts";
import { servingPort } from "../kit/server.ts";

const document = JSON.parse(textOf("openapi.json")) as ApiDocument;
const operations = operationsOf(document);

describe("a text", () => {
  it("is read into headings, paragraphs, lists, tables and examples", () => {
    const text =
      "Of `code`.\nGoes on.\n\n## Wat nu?\n\n- one\n  goes on\n- two\n\n| a | b |\n|---|---|\n| 1 | `2` |\n\n{{first-call}}";
    expect(blocksOf(text).map(({ at: _, ...block }) => block)).toEqual([
      { kind: "paragraph", text: "Of `code`. Goes on." },
      { kind: "heading", level: 2, text: "Wat nu?", anchor: "wat-nu" },
      { kind: "list", items: ["one goes on", "two"] },
      { kind: "table", head: ["a", "b"], rows: [["1", "`2`"]] },
      { kind: "sample", name: "first-call" },
    ]);
    expect(plainText(text)).toBe("Of code. Goes on. Wat nu? one goes on two a b 1 2");
  });

  it("keeps its words, whatever marks stand in it", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom("`", "**", "a", "[b](#/c)", "|", " ", "<i>", "{{x}}")),
        (parts) => {
          const spans = spansOf(parts.join(""));
          const marks = /[`*]|\[|\]\(#\/c\)/g;
          expect(
            spans
              .map(({ text }) => text)
              .join("")
              .replace(marks, ""),
          ).toBe(parts.join("").replace(marks, ""));
          expect(new Set(spans.map(({ at }) => at)).size).toBe(spans.length);
        },
      ),
    );
  });

  it("of the API document has nothing that is not read", () => {
    const descriptions = [document.info.description, ...operations.map(({ description }) => description)];
    for (const description of descriptions) expect(plainText(description)).not.toMatch(/[`]|\*\*|^#|\]\(/m);
  });
});

describe("a call", () => {
  it("stands in a group that has a name in either language", () => {
    const tags = document.tags.map(({ name }) => name).sort();
    for (const { tags: named } of Object.values(texts)) expect(Object.keys(named).sort()).toEqual(tags);
  });

  it("that takes a list says what may be sent, how it is answered, and that it may be repeated", () => {
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
  it("leads where it was made for, whatever the names are", () => {
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
        expect(readRoute(linkTo(route))).toEqual(route);
      }),
    );
  });

  it("that leads nowhere leads to the overview", () => {
    for (const fragment of ["", "#", "#/", "#/nothing", "#/guides", "#/guides/", "#content"])
      expect(readRoute(fragment).kind).toBe("overview");
    expect(readRoute("#/guides/%zz")).toMatchObject({ kind: "guides", name: "%zz" });
  });
});

describe("the search", () => {
  const entries = entriesOf(document, operations, "en");
  const titles = (typed: string) => find(entries, typed).map(({ title }) => title);

  it("finds guides, calls, parameters, fields and codes by the beginnings of their words", () => {
    expect(titles("limits")[0]).toBe("Limits");
    expect(titles("retr err")).toContain("Errors and retries");
    expect(titles("vatMaxAge")[0]).toBe("vatMaxAge");
    expect(titles("company")[0]).toBe("Company");
    expect(titles("rate_limit_exceeded")[0]).toBe("RATE_LIMIT_EXCEEDED");
    expect(titles("validate vat")).toContain("Validate a VAT number");
    const inDutch = find(entriesOf(document, operations, "nl"), "verouderd").map(({ href }) => href);
    expect(inDutch).toContain("#/guides/vat");
  });

  it("finds nothing for nothing and for what is not there, and takes every sign as it is", () => {
    for (const typed of ["", "  ", "xyzzy", "limits xyzzy", "[a-", "\\", ".*", "a{9}"])
      expect(titles(typed)).toEqual([]);
    expect(find(entries, "a").length).toBeLessThanOrEqual(20);
  });
});

describe("a program that is written for a call", () => {
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
    itWith(need, `sends what was typed, and runs none of it: ${name}`, async () => {
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
