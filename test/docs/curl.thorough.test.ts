/** The replacement for curl, which runs examples where curl is missing, behaves like curl: each case runs with both. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { CURLS } from "../kit/curls.ts";
import { freePort } from "../kit/freePort.ts";
import { describeWith } from "../kit/needs.ts";
import { startProgram } from "../kit/program.ts";
import { servingPort } from "../kit/server.ts";
import { temporaryFolder } from "../kit/world.ts";

const CONTENT = "0123456789";
let address: string;
let busy = 0;
beforeAll(async () => {
  const port = await servingPort(async (request, response) => {
    const { method, url = "", headers } = request;
    let body = "";
    for await (const chunk of request.setEncoding("utf8")) body += chunk;
    const { "content-type": type, "x-one": one } = headers;
    if (url === "/echo") response.end(JSON.stringify({ method, type, one, body }));
    else if (url === "/busy" && busy-- > 0) response.writeHead(503, { "retry-after": "0" }).end("busy\n");
    else if (url.startsWith("/status/")) response.writeHead(Number(url.slice(8))).end("body\n");
    else {
      const [, from, to = ""] = /^bytes=([0-9]+)-([0-9]*)$/.exec(headers.range ?? "") ?? [];
      if (from === undefined || url === "/whole") response.setHeader("ETag", '"one"').end(CONTENT);
      else
        response
          .writeHead(206, { "content-range": `bytes ${from}-${to || 9}/10` })
          .end(CONTENT.slice(Number(from), to === "" ? undefined : Number(to) + 1));
    }
  });
  address = `http://127.0.0.1:${port}`;
});

interface Case {
  readonly line: string;
  /** The request that the server received. */
  readonly echo?: object;
  readonly out?: unknown;
  readonly code?: number;
  /** The contents of the files afterwards. */
  readonly files?: Readonly<Record<string, unknown>>;
}

const FORM = "application/x-www-form-urlencoded";
const CASES: readonly Case[] = [
  { line: "curl $A/echo", echo: { method: "GET", body: "" } },
  { line: "curl -X PUT -d '{\"a\": 1}' $A/echo", echo: { method: "PUT", type: FORM, body: '{"a": 1}' } },
  {
    line: 'curl --header "Content-Type: text/csv" -H "X-One: a: b" --data-binary @list $A/echo -s',
    echo: { method: "POST", type: "text/csv", one: "a: b", body: "1\n2\n" },
  },
  { line: "curl -sS -d @list $A/echo", echo: { method: "POST", type: FORM, body: "12" } },
  { line: "curl -X POST $A/echo", echo: { method: "POST", body: "" } },
  { line: "curl -sSf $A/status/404", out: "", code: 22 },
  { line: "curl --silent --show-error --fail-with-body $A/status/404", out: "body\n", code: 22 },
  { line: "curl $A/status/404", out: "body\n" },
  { line: "curl $NOBODY", out: "", code: 7 },
  { line: "curl -o got $A/file", out: "", files: { got: CONTENT } },
  { line: "curl -r 2-4 $A/file", out: "234" },
  { line: "curl -r 7- $A/file >> half", out: "", files: { half: "012789" } },
  { line: "curl -C - -o half $A/file", out: "", files: { half: CONTENT } },
  { line: "curl -C - -o fresh $A/file", out: "", files: { fresh: CONTENT } },
  { line: "curl -C - -o half $A/whole", out: "", code: 33, files: { half: "012" } },
  {
    line: "curl -D head $A/file",
    out: CONTENT,
    files: { head: expect.stringMatching(/^HTTP\/1\.1 200 OK\r\n(.+\r\n)*etag: "one"\r\n(.+\r\n)*\r\n$/i) },
  },
  {
    line: "curl --dump-header - $A/file",
    out: expect.stringMatching(/^HTTP\/1\.1 200 OK\r\n[\s\S]*\r\n\r\n0123456789$/),
  },
  {
    line: "curl -s --retry 4 --retry-max-time 120 --fail-with-body $A/busy",
    out: expect.stringMatching(/0123456789$/),
  },
  { line: "curl -s --retry 1 -f $A/busy", out: "", code: 22 },
  { line: "curl -s --retry 1 --retry-connrefused $NOBODY", out: "", code: 7 },
];

async function run(line: string, PATH: string) {
  const cwd = join(temporaryFolder(), "work");
  mkdirSync(cwd);
  writeFileSync(join(cwd, "list"), "1\n2\n");
  writeFileSync(join(cwd, "half"), "012");
  busy = 2;
  const env = { PATH, A: address, NOBODY: `http://127.0.0.1:${await freePort()}/` };
  return { cwd, ...(await startProgram("sh", ["-c", line], { env, cwd }).ended) };
}

for (const { name, need, path } of CURLS) {
  describeWith(need, name, () => {
    it.each(CASES)("$line", async ({ line, echo, out = "", code = 0, files = {} }) => {
      const ended = await run(line, path());
      expect([ended.code, ended.code === code || ended.err]).toEqual([code, true]);
      if (echo === undefined) expect(ended.out).toEqual(out);
      else expect(JSON.parse(ended.out)).toEqual(echo);
      for (const [file, content] of Object.entries(files))
        expect([file, readFileSync(join(ended.cwd, file), "utf8")]).toEqual([file, content]);
    });
  });
}

describe("the curl replacement refuses", () => {
  it.each([
    "curl --compressed $A/echo",
    "curl -L $A/echo",
    "curl -sk $A/echo",
    "curl -C 3 -o half $A/file",
    "curl -d 1 -d 2 $A/echo",
    "curl $A/echo $A/file",
    "curl '$A/{a,b}'",
    "curl -H X-One $A/echo",
    "curl https://opzoek.example/",
    "curl",
  ])("unknown options: %s", async (line) => {
    const { code, out, err } = await run(line, CURLS.at(-1)?.path() ?? "");
    expect([code === 0, out]).toEqual([false, ""]);
    expect(err).toMatch(/Unknown option '|curl: Error: /);
  });
});
