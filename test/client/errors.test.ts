/** Errors of the client: one class for each code, and no mistaking a foreign response for one of the service. */
import { beforeAll, describe, expect, it } from "vitest";
import * as client from "../../client/src/index.ts";
import { ERROR_CODES, ERRORS } from "../../src/contract/errors.ts";
import { refusal, type ScriptedServer, startScripted } from "./scripted.ts";

const KEY = "opz_live_not_a_real_one";
const { Opzoek, OpzoekError, ServiceError } = client;
const CLASSES: Readonly<Record<string, unknown>> = client;

let server: ScriptedServer;
let opzoek: client.Opzoek;
beforeAll(async () => {
  server = await startScripted();
  opzoek = new Opzoek({ baseUrl: server.address, key: KEY, retries: 0 });
});

/** The error that a call rejects with. */
async function failureOf(call: Promise<unknown>): Promise<client.OpzoekError> {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof OpzoekError)) throw new Error(`not an error of the client: ${String(error)}`);
  return error;
}

describe("an error response of the service", () => {
  it.each([...ERROR_CODES])(
    "%s has its own class, with code, status, request id and retry delay",
    async (code) => {
      const { status } = ERRORS[code];
      server.answer(refusal(status, code, { "x-request-id": "req_1", "retry-after": 7 }));
      const error = await failureOf(opzoek.lookup("51234567"));
      expect(error).toMatchObject({
        code,
        status,
        requestId: "req_1",
        retryAfterSeconds: 7,
        message: `this is ${code}`,
      });
      expect(error).toBeInstanceOf(ServiceError);
      expect(error.constructor).toBe(CLASSES[error.name]);
      expect(error.constructor).not.toBe(ServiceError);
    },
  );

  it("with a code added later is passed on unchanged", async () => {
    for (const code of ["PLANET_CLOSED", "toString", "__proto__"]) {
      server.answer(refusal(451, code));
      const error = await failureOf(opzoek.lookup("51234567"));
      expect([error.constructor, error.code, error.status]).toEqual([ServiceError, code, 451]);
    }
  });
});

describe("the retry delay of a response", () => {
  const named = async (text: string) => {
    server.answer(refusal(503, "SERVICE_UNAVAILABLE", { "retry-after": text }));
    return (await failureOf(opzoek.lookup("51234567"))).retryAfterSeconds;
  };

  it("may be seconds or a date", async () => {
    expect(await named("7")).toBe(7);
    expect(await named("Sun, 06 Nov 1994 08:49:37 GMT")).toBe(0);
    expect(await named("Fri, 31 Dec 9999 23:59:59 GMT")).toBeGreaterThan(1_000_000_000);
  });

  it.each(["-86400", "-1", "3600.5", "soon 3000", "7, 7"])("is undefined otherwise: %s", async (text) => {
    expect(await named(text)).toBeUndefined();
  });
});

it("a call accepts a text that was cut within a character, without throwing", async () => {
  server.answer({ body: { results: [] } }, { body: { kvkNumber: "51234567" } });
  const cut = "goud\ud83c";
  await opzoek.autocomplete(cut);
  await opzoek.lookup(cut);
  const shown = encodeURIComponent("goud\ufffd");
  expect(server.seen[0]?.path).toContain(`q=${shown}&`);
  expect(server.seen[1]?.path).toBe(`/v1/lookup/${shown}`);
});

describe("a call without a valid response of the service", () => {
  it.each([
    [
      "HTML of a proxy",
      { status: 502, headers: { "content-type": "text/html" }, text: "<h1>Bad Gateway</h1>" },
    ],
    [
      "HTML that says it is fine",
      { status: 200, headers: { "content-type": "text/html" }, text: "<h1>Log in</h1>" },
    ],
    ["nothing at all", { status: 204, text: "" }],
    ["JSON that is cut off", { status: 200, text: '{"kvkNumber": "5123' }],
    ["JSON of something else", { status: 200, text: "[1, 2]" }],
    ["JSON of a proxy", { status: 200, text: '{"portal": "log in"}' }],
    ["null", { status: 200, text: "null" }],
    ["an error of another form", { status: 400, text: '{"error": "nope"}' }],
    ["an error of nothing", { status: 500, text: '{"error": null}' }],
    ["an error whose code is not a text", { status: 400, text: '{"error": {"code": 7}}' }],
  ])("rejects with UnexpectedAnswerError: %s", async (_, answer) => {
    server.answer(answer);
    const error = await failureOf(opzoek.lookup("51234567"));
    expect(error).toBeInstanceOf(client.UnexpectedAnswerError);
    expect([error.code, error.status]).toEqual(["UNEXPECTED_ANSWER", answer.status]);
    expect(error.message).not.toContain("<");
  });

  it.each([404, 503])(
    "is not reported as the health of the service: JSON of a proxy with %i",
    async (status) => {
      server.answer({ status, body: { message: "no healthy upstream" } });
      expect(await failureOf(opzoek.health())).toBeInstanceOf(client.UnexpectedAnswerError);
    },
  );

  it("rejects with ConnectionError when the connection breaks", async () => {
    server.answer("reset");
    expect(await failureOf(opzoek.lookup("51234567"))).toBeInstanceOf(client.ConnectionError);
    const unreachable = new Opzoek({ baseUrl: "http://127.0.0.1:1", key: KEY, retries: 0 });
    expect(await failureOf(unreachable.usage())).toMatchObject({
      code: "CONNECTION_ERROR",
      status: undefined,
    });
  });

  it("rejects with TimeoutError after its deadline", async () => {
    server.answer("nothing");
    const error = await failureOf(opzoek.lookup("51234567", { timeoutMs: 20 }));
    expect(error).toBeInstanceOf(client.TimeoutError);
    expect([error.code, error.name]).toEqual(["TIMEOUT", "TimeoutError"]);
  });

  it("rejects with AbortedError, before and during the request", async () => {
    server.answer("nothing");
    const before = await failureOf(opzoek.lookup("51234567", { signal: AbortSignal.abort("enough") }));
    expect([before.constructor, before.name, before.cause]).toEqual([
      client.AbortedError,
      "AbortError",
      "enough",
    ]);
    expect(server.seen).toEqual([]);
    const controller = new AbortController();
    const call = failureOf(opzoek.lookup("51234567", { signal: controller.signal }));
    controller.abort();
    expect((await call).code).toBe("ABORTED");
  });

  it("times out even with a custom fetch that ignores the signal", async () => {
    const ignoringSignal = new Opzoek({
      baseUrl: server.address,
      key: KEY,
      fetch: () => new Promise(() => {}),
    });
    expect(await failureOf(ignoringSignal.usage({ timeoutMs: 20 }))).toBeInstanceOf(client.TimeoutError);
  });
});

it.each([
  ["fails", () => Promise.reject(new Error("the token could not be renewed"))],
  ["returns an invalid key", () => "opz_live_secret\n"],
])("a key function that %s rejects the call with KeyError, and no request is sent", async (_, key) => {
  server.answer({});
  const error = await failureOf(new Opzoek({ baseUrl: server.address, key }).usage());
  expect([error.code, error.name, error.cause instanceof Error]).toEqual(["KEY_ERROR", "KeyError", true]);
  expect(String(error.cause)).not.toContain("secret");
  expect(server.seen).toEqual([]);
});

describe("a client", () => {
  it("cannot be created with an invalid address or key, and repeats neither in the error", () => {
    const wrong = [
      { baseUrl: "opzoek.example", key: KEY },
      { baseUrl: "ftp://opzoek.example", key: KEY },
      { baseUrl: "https://user:secret@opzoek.example", key: KEY },
      { baseUrl: server.address, key: "opz_live_secret\n" },
      { baseUrl: server.address, key: "" },
    ];
    for (const options of wrong) {
      expect(() => new Opzoek(options)).toThrow(TypeError);
      expect(() => new Opzoek(options)).not.toThrow(/secret/);
    }
  });

  it("hides its key when it or its errors are printed", async () => {
    const { inspect } = await import("node:util");
    server.answer("reset");
    const error = await failureOf(opzoek.lookup("51234567"));
    for (const text of [
      inspect(opzoek, { showHidden: true, depth: 9 }),
      JSON.stringify(opzoek),
      inspect(error, { depth: 9 }),
    ])
      expect(text).not.toContain(KEY);
  });
});
