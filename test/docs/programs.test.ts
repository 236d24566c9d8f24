/** Every example of the docs page is a program that runs: those of its guides, and those generated for each call. */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { readGuides } from "../../build/guides.ts";
import { pathOf } from "../../dashboard/src/docs/document/examples.ts";
import {
  type ApiDocument,
  JSON_TYPE,
  type Operation,
  operationsOf,
} from "../../dashboard/src/docs/document/openapi.ts";
import { atService } from "../../dashboard/src/docs/guide.ts";
import { anchorOf, blocksOf } from "../../dashboard/src/docs/markdown/blocks.ts";
import { SNIPPET_LANGUAGES, type SnippetLanguage, snippetOf } from "../../dashboard/src/snippets/snippets.ts";
import { demoKey, demoTestKey } from "../../src/demo/accounts.ts";
import { textOf } from "../architecture/repository.ts";
import { jsonOf } from "../kit/answer.ts";
import { ask } from "../kit/client.ts";
import { CURLS } from "../kit/curls.ts";
import { startDemo } from "../kit/demo.ts";
import { describeWith, type Need, nothing, program } from "../kit/needs.ts";
import { type ProgramResult, startProgram } from "../kit/program.ts";
import { servingPort } from "../kit/server.ts";
import type { Service } from "../kit/service.ts";
import { variants } from "../kit/thorough.ts";
import { awayFromMonthEnd, until } from "../kit/until.ts";
import { temporaryFolder } from "../kit/world.ts";
import { ExampleCalls, shown } from "./exampleCalls.ts";

const ANSWERS = fileURLToPath(new URL("../../dashboard/src/docs/document/answers.json", import.meta.url));

/** The file extension of each language. */
const ENDINGS: Readonly<Record<SnippetLanguage, string>> = {
  curl: "sh",
  javascript: "mjs",
  python: "py",
  php: "php",
  csharp: "cs",
};

/** A program that runs files of a language. */
interface Runner {
  readonly language: SnippetLanguage;
  readonly name: string;
  readonly need: Need;
  readonly command: readonly [string, ...string[]];
  path(): string | undefined;
}

const onPath = { path: () => process.env["PATH"] };
const RUNNERS: readonly Runner[] = [
  ...CURLS.map((curl) => ({ ...curl, language: "curl" as const, command: ["sh"] as const })),
  {
    ...onPath,
    language: "javascript",
    name: "javascript",
    need: nothing,
    command: [process.execPath],
  },
  { ...onPath, language: "python", name: "python", need: program("python3"), command: ["python3"] },
  { ...onPath, language: "php", name: "php", need: program("php"), command: ["php"] },
  { ...onPath, language: "csharp", name: "csharp", need: dotnet(), command: ["dotnet", "run"] },
];

/** C# files run without a project from .NET 10 on. */
function dotnet(): Need {
  const { status, stdout } = spawnSync("dotnet", ["--version"], { encoding: "utf8" });
  return { isMet: status === 0 && Number.parseInt(stdout, 10) >= 10, lack: "dotnet 10 is not installed" };
}

const document = JSON.parse(textOf("openapi.json")) as ApiDocument;
const operations = operationsOf(document);
const guides = readGuides();
/** The programs of each guide with examples in every language. */
const examples = new Map(
  guides.flatMap(({ name, body }) =>
    blocksOf(body).flatMap((block) => (block.type === "examples" ? [[name, block.programs] as const] : [])),
  ),
);
const folder = temporaryFolder();
const key = demoKey("pro");

let demo: Service;
let calls: ExampleCalls;
beforeAll(async () => {
  demo = await startDemo();
  calls = new ExampleCalls(demo, document);
});

/** Runs a program as a reader would after saving it. @returns its output */
async function run(runner: Runner, name: string, text: string, caller = key): Promise<string> {
  const { code, out, err } = await runAnyhow(runner, name, text, caller);
  if (code !== 0) throw new Error(`${name} ended with ${code}: ${err}${out}`);
  return out;
}

/** Runs a program that may fail, by default with a wrong key. */
function runAnyhow(
  { language, command, path }: Runner,
  name: string,
  text: string,
  caller = "opz_live_wrong",
): Promise<ProgramResult> {
  const file = join(folder, `${name}.${ENDINGS[language]}`);
  writeFileSync(file, text);
  const [interpreter, ...words] = command;
  const env = { ...process.env, PATH: path(), OPZOEK_KEY: caller };
  return startProgram(interpreter, [...words, file], { env }).ended;
}

const example = (language: SnippetLanguage, guide: string, address: string) =>
  atService(`${examples.get(guide)?.[language]}\n`, address);

/** The output of each guide's example, in any language. */
const PRINTS: Readonly<Record<string, readonly RegExp[]>> = {
  "first-call": [/51234567.*Bakkerij De Gouden Korenaar/s],
  errors: [/51234567.*Fabelkorst/s],
};

/** A service that is busy at first, for the retry example. */
async function busyService(): Promise<{ address: string; count: () => number }> {
  let requestCount = 0;
  const port = await servingPort((_request, response) => {
    requestCount += 1;
    const isBusy = requestCount === 1;
    response.writeHead(isBusy ? 503 : 200, {
      "content-type": "application/json",
      ...(isBusy && { "retry-after": "1" }),
    });
    response.end(
      JSON.stringify(
        isBusy
          ? { error: { code: "SERVICE_UNAVAILABLE", message: "try again" } }
          : { kvkNumber: "51234567", name: "Fabelkorst" },
      ),
    );
  });
  return { address: `http://127.0.0.1:${port}`, count: () => requestCount };
}

const nameOf = ({ method, path }: Operation) => `${method} ${path}`;

/** Calls about changes have a test key, because the companies of the demo do not change. */
const callerOf = ({ path }: Operation, caller: string) =>
  path.includes("{eventId}") || path === "/v1/changes" ? demoTestKey() : caller;

async function programOf(language: SnippetLanguage, operation: Operation): Promise<string> {
  const values = await calls.valuesOf(operation, callerOf(operation, key));
  const { method, needsKey, bodyType, answerType } = operation;
  const url = demo.address + pathOf(operation, values);
  return snippetOf(language, { method, url, needsKey, body: values.body, bodyType, answerType });
}

describe("the guides", () => {
  it("have an example in every language, except for a known list", () => {
    expect([...examples.keys()].sort()).toEqual(Object.keys(PRINTS).sort());
    const count = guides
      .flatMap(({ body }) => blocksOf(body))
      .filter(({ type }) => type === "examples").length;
    expect(count).toBe(examples.size);
  });

  it("lead to existing views", () => {
    const views = new Set([
      ...operations.map(({ id }) => `calls/${id}`),
      ...Object.keys(document.components.schemas).map((name) => `objects/${name}`),
    ]);
    for (const [view, text] of [
      ["overview", document.info.description],
      ...guides.map(({ name, body }) => [`guides/${name}`, body] as const),
    ] as const) {
      views.add(view);
      for (const block of blocksOf(text))
        if (block.type === "heading") views.add(`${view}/${anchorOf(block.text)}`);
    }
    const links = guides.flatMap(({ body }) =>
      [...body.matchAll(/\]\((?!https:)#?\/?([^)]+)\)/g)].map(([, link = ""]) => link),
    );
    expect(links.length).toBeGreaterThan(10);
    expect(links.filter((link) => !views.has(link))).toEqual([]);
  });
});

it("every language of the examples has a runner", () => {
  expect([...new Set(RUNNERS.map(({ language }) => language))]).toEqual([...SNIPPET_LANGUAGES]);
});

for (const runner of RUNNERS) {
  const { language, name: ranBy, need } = runner;
  describeWith(need, `examples in ${ranBy}`, () => {
    it.each([...examples.keys()].filter((name) => name !== "errors"))("of the guides: %s", async (name) => {
      const out = await run(runner, name, example(language, name, demo.address));
      for (const print of PRINTS[name] ?? []) expect(out).toMatch(print);
    });

    it("of the guides: errors, with a service that is busy at first", async () => {
      const { address, count } = await busyService();
      const out = await run(runner, "errors", example(language, "errors", address));
      for (const print of PRINTS["errors"] ?? []) expect(out).toMatch(print);
      expect(count()).toBe(2);
    });

    it.each([...examples.keys()])("of the guides print the code of an error: %s", async (name) => {
      const { out, err } = await runAnyhow(runner, `wrong-${name}`, example(language, name, demo.address));
      expect(out + err).toContain("UNAUTHORIZED");
    });

    it("of calls print the code of an error", async () => {
      const [operation] = operations;
      if (operation === undefined) throw new Error("the document has no call");
      const { out } = await runAnyhow(runner, "wrong-call", await programOf(language, operation));
      expect(out).toContain("UNAUTHORIZED");
    });

    // The examples of one language differ only by path and body.
    const tried = language === "curl" ? operations : variants(operations, { ordinary: 3 });
    it.each(tried.map((operation) => [nameOf(operation), operation] as const))(
      "of the call %s",
      async (_name, operation) => {
        const program = await programOf(language, operation);
        const out = await run(runner, operation.id, program, callerOf(operation, key));
        expect(out.length).toBeGreaterThan(20);
        expect(out).not.toMatch(/["']?error["']?\s*:\s*\{/);
        if (operation.path.includes("{kvkNumber}") || operation.path.endsWith("/batch"))
          expect(out).toContain("51234567");
      },
    );
  });
}

describe("the responses on the docs page", () => {
  it("match those of the demo", async () => {
    const answers: Record<string, unknown> = {};
    await awayFromMonthEnd();
    // An account that no other test uses, because the response shows its usage.
    const starter = demoKey("starter");
    const test = demoTestKey();
    const changing = { kvkNumbers: ["99990301"], metadata: { debtor: "1042" } };
    await ask(demo, { method: "POST", path: "/v1/monitors", key: test, body: changing });
    for (const operation of operations) {
      const fresh = callerOf(operation, starter);
      const values = await calls.valuesOf(operation, fresh);
      const path = pathOf(operation, values);
      const body = values.body;
      const headers = { "content-type": operation.bodyType };
      if (operation.id === "get-v1-jobs") await until("the list has ended", () => calls.hasEndedList(fresh));
      const answer = await ask(demo, {
        method: operation.method,
        path,
        key: fresh,
        ...(body !== undefined && { body, headers }),
      });
      expect([path, answer.status]).toEqual([path, operation.id === "post-v1-jobs" ? 202 : 200]);
      const responseBody = operation.answerType === JSON_TYPE ? jsonOf(answer) : answer.text;
      answers[operation.id] = JSON.parse(JSON.stringify(responseBody), (name, value: unknown) =>
        shown(operation.id, name, value),
      );
    }
    await expect(`${JSON.stringify(answers, null, 2)}\n`).toMatchFileSnapshot(ANSWERS);
  });
});
