import { beforeAll, describe, expect, it } from "vitest";
import { ERROR_CODES, ERRORS } from "../../src/contract/errors.ts";
import { demoKey } from "../../src/demo/accounts.ts";
import { textOf } from "../architecture/repository.ts";
import { type Answer, codeOf, inject } from "../kit/answer.ts";
import { ask } from "../kit/client.ts";
import { startDemo } from "../kit/demo.ts";
import { composeInProcess } from "../kit/inProcess.ts";
import { makeWorld } from "../kit/world.ts";

const page = textOf("docs/errors.md");

interface Section {
  readonly code: string;
  readonly text: string;
}

const sections: readonly Section[] = page
  .split("\n### ")
  .slice(1)
  .map((section) => {
    const [code = "", ...lines] = section.split("\n");
    return { code, text: lines.join("\n").trim() };
  });

/** `METHOD PATH`, then the call's circumstances: no key, a header, or the company's origin. */
const EXAMPLE =
  /^Example: `([A-Z]+) (\/[^`]*)`(?: (without a key)| (of a company from GLEIF)| with `([A-Za-z-]+): ([^`]*)`)?$/m;
/** Two calls, the second of which is refused. */
const TWO = /^Example: `GET (\/[^`]*)` and `GET (\/[^`]*)` with the same `Idempotency-Key`$/m;

describe("docs/errors.md", () => {
  it("lists exactly the codes of the error table, in order", () => {
    expect(sections.map(({ code }) => code)).toEqual(ERROR_CODES);
  });

  it("gives each code its status and a text", () => {
    for (const code of ERROR_CODES) {
      const { text = "" } = sections.find((section) => section.code === code) ?? {};
      expect(text.startsWith(`**${ERRORS[code].status}.** `), code).toBe(true);
      expect(text.length, code).toBeGreaterThan(80);
    }
  });

  it("puts each status into one row of the retry table", () => {
    const rows = page.slice(page.indexOf("## Which errors"), page.indexOf("## The codes"));
    for (const status of new Set(ERROR_CODES.map((code) => ERRORS[code].status))) {
      const naming = rows.split("\n").filter((row) => row.startsWith("|") && row.includes(String(status)));
      expect(naming.length, String(status)).toBe(1);
    }
  });

  describe("examples", () => {
    const examples = sections.flatMap(({ code, text }) => {
      const found = EXAMPLE.exec(text);
      if (found === null) return [];
      const [, method = "", path = "", keyless, gleif, header, value = ""] = found;
      const places = { isKeyless: keyless !== undefined, isOfGleif: gleif !== undefined };
      return [{ code, method, path, ...places, header, value }];
    });
    let port = 0;
    beforeAll(async () => {
      ({ port } = await startDemo());
    });

    const pairs = sections.flatMap(({ code, text }) => {
      const found = TWO.exec(text);
      return found === null ? [] : [{ code, paths: found.slice(1) }];
    });

    it("are all parsed", () => {
      expect(examples.length + pairs.length).toBe([...page.matchAll(/^Example: /gm)].length);
    });

    const onDemo = examples.filter(({ isOfGleif }) => !isOfGleif);
    it.each(onDemo)("$code: $method $path", async ({ code, method, path, isKeyless, header, value }) => {
      const answer = await ask(
        { port },
        {
          method,
          path,
          key: isKeyless ? undefined : demoKey("pro"),
          ...(header === undefined ? {} : { headers: { [header]: value }, body: "{}" }),
        },
      );
      expect(codeOf(answer)).toBe(code);
    });

    it.each(pairs)("$code: two calls under one key", async ({ code, paths }) => {
      const headers = { "idempotency-key": "one-for-both" };
      const answers: Answer[] = [];
      for (const path of paths) answers.push(await ask({ port }, { path, key: demoKey("pro"), headers }));
      expect(answers.map(({ status }) => status)).toEqual([200, 409]);
      expect(answers.slice(1).map(codeOf)).toEqual([code]);
    });

    it("for companies that the demo lacks hold on a service that has them", async () => {
      const elsewhere = examples.filter(({ isOfGleif }) => isOfGleif);
      expect(elsewhere.map(({ code }) => code)).toEqual(["NOT_HELD"]);
      const service = await composeInProcess(await makeWorld());
      const { key } = await service.account("pro");
      for (const { code, method, path } of elsewhere) {
        expect(codeOf(await inject(service.app, { method, path, key }))).toBe(code);
      }
    });
  });
});
