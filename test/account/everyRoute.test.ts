/** The guarantees of every account route. A new route is covered automatically. */
import { beforeAll, describe, expect, it } from "vitest";
import { ACCOUNT_ROUTES } from "../../src/http/account/routes/all.ts";
import { inject, messageOf } from "../kit/answer.ts";
import { BEHIND_PROXY, Browser, HERE, PUBLIC } from "../kit/browser.ts";
import { expectError } from "../kit/contractAnswer.ts";
import { composeInProcess, type InProcess } from "../kit/inProcess.ts";
import { makeWorld } from "../kit/world.ts";

let here: InProcess;
let behindProxy: InProcess;
let person: Browser;
beforeAll(async () => {
  here = await composeInProcess(await makeWorld({ environment: { SIGNUP: "open" } }));
  behindProxy = await composeInProcess(await makeWorld({ environment: { SIGNUP: "open", ...BEHIND_PROXY } }));
  person = new Browser(here.app);
  await person.enter("person@fabel.example");
});

const CHANGES = ACCOUNT_ROUTES.filter(({ method }) => method !== "GET");
const named = (routes: typeof ACCOUNT_ROUTES) =>
  routes.map((route) => [`${route.method} ${route.path}`, route] as const);
const pathOf = (path: string) => path.replace(":id", "acc_of_nobody");

describe.each(named(ACCOUNT_ROUTES))("%s", (_name, { method, path, who }) => {
  it("is for whom it says: nobody without a session, operators where it says so", async () => {
    if (who === "everyone") return;
    for (const cookie of [
      undefined,
      "opzoek=",
      "opzoek=made-up",
      `opzoek=${"x".repeat(43)}`,
      "__Host-opzoek=x",
    ]) {
      const stranger = new Browser(here.app);
      stranger.cookie = cookie;
      const answer = await stranger.ask(method, pathOf(path), method === "GET" ? undefined : {});
      expectError(answer, "UNAUTHORIZED");
      expect(answer.headers["set-cookie"]).toBeUndefined();
    }
    if (who !== "operator") return;
    const answer = await person.ask(method, pathOf(path), method === "GET" ? undefined : {});
    expectError(answer, "FORBIDDEN");
    expect(messageOf(answer)).toContain("operators");
  });

  it("requires TLS, except for plain HTTP from this machine, recognised by peer, host and the absence of a proxy", async () => {
    const send = (service: InProcess, headers: Record<string, string>) =>
      new Browser(service.app).ask(method, pathOf(path), method === "GET" ? undefined : {}, headers);
    const plain = [
      await send(here, { host: "registry.fabel.example" }),
      await send(here, { host: "192.168.0.7:8080" }),
      await send(here, { host: "localhost.evil.example" }),
      await send(here, { "x-forwarded-for": "10.0.0.1" }),
      await send(here, { "x-forwarded-proto": "https" }),
      await send(here, { forwarded: "proto=https" }),
      await send(behindProxy, { host: "registry.fabel.example", "x-forwarded-proto": "http" }),
      await send(behindProxy, { host: "localhost:80" }),
    ];
    for (const answer of plain) {
      expectError(answer, "FORBIDDEN");
      expect(messageOf(answer)).toContain("needs TLS");
      expect(answer.headers["set-cookie"]).toBeUndefined();
    }
  });

  it("cannot be cached, framed or read by another origin", async () => {
    const other = { origin: "https://evil.example" };
    for (const answer of [
      await person.ask(method, pathOf(path), method === "GET" ? undefined : {}, other),
      await person.ask("OPTIONS", pathOf(path), undefined, {
        ...other,
        "access-control-request-method": method,
      }),
    ]) {
      expect(answer.headers["access-control-allow-origin"]).toBeUndefined();
      expect(answer.headers["access-control-allow-credentials"]).toBeUndefined();
      expect(answer.headers["cache-control"]).toBe("no-store");
      expect(answer.headers["content-security-policy"]).toContain("frame-ancestors 'none'");
      expect(answer.headers["x-content-type-options"]).toBe("nosniff");
      expect(answer.headers["x-request-id"]).toMatch(/./);
    }
  });

  it("refuses unknown query parameters, and other methods with Allow", async () => {
    const allowed = ACCOUNT_ROUTES.filter((route) => route.path === path).map((route) => route.method);
    for (const wrong of ["GET", "POST", "PUT", "PATCH", "DELETE"].filter(
      (word) => !allowed.includes(word as "GET"),
    )) {
      const answer = await person.ask(wrong, pathOf(path), {});
      expectError(answer, "METHOD_NOT_ALLOWED");
      expect(answer.headers.allow).toContain(method);
    }
    if (who !== "everyone") return;
    expectError(await new Browser(here.app).ask(method, `${pathOf(path)}?surprise=1`, {}), "INVALID_REQUEST");
  });
});

describe.each(named(CHANGES))("%s", (_name, { method, path }) => {
  it("accepts requests from the page's own origin only, before it checks anything else", async () => {
    const forged: Record<string, string | undefined>[] = [
      { origin: "https://evil.example", "sec-fetch-site": undefined },
      { origin: "https://evil.example", "sec-fetch-site": "cross-site" },
      { origin: "null", "sec-fetch-site": undefined },
      { origin: `${HERE}0`, "sec-fetch-site": undefined },
      { origin: "http://localhost:8080", "sec-fetch-site": "same-site" },
      { origin: undefined, "sec-fetch-site": undefined },
      { origin: undefined, "sec-fetch-site": "cross-site" },
      { origin: undefined, "sec-fetch-site": "none" },
      { origin: HERE, "sec-fetch-site": "cross-site" },
    ];
    for (const headers of forged) {
      expectError(await sendAs(person, here, method, pathOf(path), headers), "FORBIDDEN");
    }
    for (const origin of [
      HERE,
      "http://registry.fabel.example",
      `${PUBLIC}.evil.example`,
      "https://evil.example",
    ]) {
      const answer = await sendAs(
        new Browser(behindProxy.app, { origin: PUBLIC }),
        behindProxy,
        method,
        pathOf(path),
        {
          origin,
          "sec-fetch-site": undefined,
        },
      );
      expectError(answer, "FORBIDDEN");
      expect(messageOf(answer)).toContain(PUBLIC);
    }
  });
});

/** A request with the browser's headers, some of them overridden; undefined removes one. */
async function sendAs(
  browser: Browser,
  service: InProcess,
  method: string,
  path: string,
  changed: Record<string, string | undefined>,
) {
  const headers: Record<string, string> = { "content-type": "application/json" };
  for (const [name, value] of Object.entries({ ...browser.headers(method), ...changed })) {
    if (value !== undefined) headers[name] = value;
  }
  return inject(service.app, { method, path, headers, body: "{}" });
}

describe("behind TLS", () => {
  it("refuses changes without PUBLIC_URL and says what the operator must do", async () => {
    const service = await composeInProcess(await makeWorld({ environment: { TRUST_PROXY: "127.0.0.1" } }));
    const answer = await new Browser(service.app, { origin: PUBLIC }).ask("POST", "/account/sign-out");
    expectError(answer, "FORBIDDEN");
    expect(messageOf(answer)).toContain("PUBLIC_URL");
  });
});

it("the account page leaves the API unchanged: other paths without a key stay JSON and open to any origin", async () => {
  const answer = await person.ask("GET", "/account/nowhere");
  expectError(answer, "ROUTE_NOT_FOUND");
  const health = await person.ask("GET", "/v1/health", undefined, { origin: "https://shop.example" });
  expect(health.headers["access-control-allow-origin"]).toBe("*");
  expect(health.headers["content-security-policy"]).toBeUndefined();
  expectError(await person.ask("GET", "/v1/usage"), "UNAUTHORIZED");
});
