/** No error repeats a secret of its caller, wherever it was pasted by mistake. */
import { randomBytes } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { makeKey } from "../src/contract/keyForm.ts";
import { type Answer, inject } from "./kit/answer.ts";
import { Browser } from "./kit/browser.ts";
import { BAKERY } from "./kit/companies.ts";
import { composeInProcess, type InProcess } from "./kit/inProcess.ts";
import { makeWorld } from "./kit/world.ts";

const token = randomBytes(32).toString("base64url");
const SECRETS = {
  "an API key": makeKey("live", randomBytes),
  "a part of an API key": makeKey("live", randomBytes).slice(15),
  "a token": token,
  "a webhook's URL": `https://user:${token.slice(0, 9)}@shop.example/hook`,
  "a German VAT number": "DE136695976",
  "a Dutch VAT number": "NL123456782B90",
  "a recovery code": "ABCD-EFGH-2345-MNOP",
};

let service: InProcess;
let key: string;
beforeAll(async () => {
  service = await composeInProcess(
    await makeWorld({ environment: { SIGNUP: "open", KEYLESS_PER_MINUTE: "100000" } }),
  );
  ({ key } = await service.account("plenty"));
});

const get = (path: string, headers: Record<string, string> = {}) =>
  inject(service.app, { path, key, headers });
const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  inject(service.app, {
    method: "POST",
    path,
    key,
    body,
    headers: { "content-type": "application/json", ...headers },
  });
const tool = (params: object, headers: Record<string, string> = {}) =>
  post("/mcp", { jsonrpc: "2.0", id: 1, method: "tools/call", params }, headers);
const page = (path: string, body: object) => new Browser(service.app).ask("POST", path, body);

/** Places for other input, or for none. */
const PLACES: Readonly<Record<string, (secret: string) => Promise<Answer>>> = {
  "a path": (secret) => get(`/v1/lookup/${encodeURIComponent(secret)}`),
  "an unknown path": (secret) => get(`/v1/${encodeURIComponent(secret)}`),
  "a VAT number": (secret) => get(`/v1/validate/vat/X${encodeURIComponent(secret)}`),
  "a list's id": (secret) => get(`/v1/jobs/${encodeURIComponent(secret)}`),
  "a parameter": (secret) => get(`/v1/autocomplete?q=ab&limit=${encodeURIComponent(secret)}`),
  "an enumeration": (secret) => get(`/v1/search?legalForm=${encodeURIComponent(secret)}`),
  "a search that is too long": (secret) =>
    get(`/v1/autocomplete?q=${encodeURIComponent(secret)}${"x".repeat(200)}`),
  "the name of a parameter": (secret) => get(`/v1/usage?${encodeURIComponent(secret)}=1`),
  "a name next to an undecodable part": (secret) => get(`/v1/usage?${encodeURIComponent(secret)}=%ff`),
  "the name of a field": (secret) => post("/v1/lookup/batch", { kvkNumbers: [BAKERY], [secret]: 1 }),
  "a field": (secret) => post("/v1/lookup/batch", { kvkNumbers: secret }),
  "a number of a batch": (secret) => post("/v1/lookup/batch", { kvkNumbers: [1, secret] }),
  "a number of a match": (secret) => post("/v1/match", { queries: [{ kvkNumber: secret }] }),
  "the name of a field of a match": (secret) => post("/v1/match", { queries: [{ [secret]: 1 }] }),
  "a repeated id of a match": (secret) => post("/v1/match", { queries: [{ id: secret }, { id: secret }] }),
  "an origin": (secret) => post("/v1/tokens", { origin: secret, session: "typing-session-0001" }),
  "a whole body": (secret) => post("/v1/lookup/batch", JSON.stringify(secret)),
  "a body that is not JSON": (secret) => post("/v1/lookup/batch", secret),
  "a Content-Type": (secret) => post("/v1/lookup/batch", "{}", { "content-type": secret }),
  "a Content-Encoding": (secret) => post("/v1/lookup/batch", "{}", { "content-encoding": secret }),
  "an Idempotency-Key": (secret) => get("/v1/usage", { "idempotency-key": `${secret} x y` }),
  "a column of a list": (secret) =>
    post("/v1/jobs?kind=lookup", `${secret}\n1\n`, { "content-type": "text/csv" }),
  "a line of a list": (secret) =>
    post("/v1/jobs?kind=lookup", `{"${secret}":1}`, { "content-type": "application/x-ndjson" }),
  "a webhook": (secret) => post(`/v1/jobs?kind=lookup&webhook=${encodeURIComponent(secret)}`, `"${BAKERY}"`),
  "the name of a tool": (secret) => tool({ name: secret, arguments: {} }),
  "an argument": (secret) => tool({ name: "lookup_company", arguments: { kvkNumber: secret } }),
  "the name of an argument": (secret) => tool({ name: "show_usage", arguments: { [secret]: 1 } }),
  "a tool's headers": (secret) =>
    tool(
      { name: "show_usage" },
      { "mcp-protocol-version": secret, "mcp-name": secret, "mcp-method": secret },
    ),
  "an e-mail address": (secret) =>
    page("/account/sign-in", { email: secret.padEnd(400, "x"), password: "x" }),
  "an e-mail address to sign up with": (secret) =>
    page("/account/sign-up", { email: secret, password: "een lang woord erbij" }),
  "the name of a field of the page": (secret) =>
    page("/account/sign-in", { email: "a@b.example", password: "x", [secret]: 1 }),
};

describe.each(Object.entries(PLACES))("in %s", (_place, send) => {
  it.each(Object.entries(SECRETS))("%s is not repeated", async (_what, secret) => {
    const answer = await send(secret);
    expect(answer.status).toBeLessThan(500);
    expect(answer.text).not.toBe("");
    expect(answer.text).not.toContain(secret);
    // Nor a part long enough to be useful; a batch's failed item has its number as sent.
    expect(answer.text).not.toContain(secret.slice(0, 10));
    expect(answer.text).not.toContain(secret.slice(-10));
  });
});

it("a password in place of an e-mail address is not repeated", async () => {
  for (const [path, more] of [
    ["/account/sign-up", { password: "een lang woord erbij" }],
    ["/account/sign-in", { password: "x" }],
    ["/account/password/reset-request", {}],
  ] as const) {
    for (const email of ["hunter2", "hunter2\u0000", "hunter2".padEnd(500)]) {
      expect((await page(path, { email, ...more })).text).not.toContain("hunter2");
    }
  }
});
