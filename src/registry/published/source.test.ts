import { describe, expect, it, onTestFinished } from "vitest";
import { serving } from "../../../test/kit/server.ts";
import { openPublishedSource } from "./source.ts";

const { signal } = new AbortController();
const HEADERS = { authorization: "Bearer tr0ub4dor", "x-token": "tr0ub4dor" };

/** A server that redirects on request, or returns its path and headers. */
async function redirecting(to: (path: string) => string | undefined) {
  const seen: Record<string, unknown>[] = [];
  const server = await serving((request, response) => {
    const { url = "", headers } = request;
    seen.push({
      url,
      authorization: headers.authorization,
      token: headers["x-token"],
      tag: headers["if-none-match"],
    });
    const location = to(url);
    if (headers["if-none-match"] === '"1"' && location === undefined) return response.writeHead(304).end();
    if (location === undefined) return response.writeHead(200, { etag: '"1"' }).end(url);
    return response.writeHead(302, { location }).end();
  });
  return { seen, origin: new URL(server.url).origin, url: server.url };
}

function get(url: string, name = "manifest.json", etag?: string) {
  const source = openPublishedSource(url, HEADERS);
  onTestFinished(() => source.close());
  return source.get(name, signal, etag);
}

async function textOf(answer: Awaited<ReturnType<typeof get>>): Promise<string> {
  return answer === undefined ? "unchanged" : Buffer.concat(await Array.fromAsync(answer.body)).toString();
}

describe("a published folder over HTTP", () => {
  it.each([
    ["", "/base/manifest.json"],
    ["/", "/base/manifest.json"],
    ["?sig=a%2Fb&x=1", "/base/manifest.json?sig=a%2Fb&x=1"],
    ["/?sig=a", "/base/manifest.json?sig=a"],
  ])("%j at the end of its URL leads to %s", async (end, path) => {
    const { url } = await redirecting(() => undefined);
    expect(await textOf(await get(url + end))).toBe(path);
  });

  it("receives its ETag in requests, also after a redirect", async () => {
    const { url, seen } = await redirecting((path) =>
      path === "/base/manifest.json" ? "/real?sig=1" : undefined,
    );
    const first = await get(url);
    expect([first?.etag, await textOf(first)]).toEqual(['"1"', "/real?sig=1"]);
    expect(await get(url, "manifest.json", first?.etag)).toBeUndefined();
    expect(seen.map(({ tag }) => tag)).toEqual([undefined, undefined, '"1"', '"1"']);
  });

  it("receives the configured headers, unlike other servers that it redirects to", async () => {
    const other = await redirecting(() => undefined);
    const one = await redirecting((path) =>
      path === "/base/manifest.json" ? `${other.origin}/bucket?sig=1` : undefined,
    );
    expect(await textOf(await get(one.url))).toBe("/bucket?sig=1");
    expect(one.seen).toMatchObject([{ authorization: HEADERS.authorization, token: HEADERS["x-token"] }]);
    expect(other.seen).toMatchObject([{ authorization: undefined, token: undefined }]);
  });

  it.each([
    ["another scheme", "https://127.0.0.1:1/x"],
    ["a file", "file:///etc/passwd"],
    ["an address with a password", "http://u:p@127.0.0.1:1/x"],
    ["no address", "http://["],
    ["itself", "/base/manifest.json"],
  ])("that redirects to %s is rejected without quoting the URL", async (_what, location) => {
    const { url, seen } = await redirecting(() => location);
    const failure = await get(`${url}?sig=tr0ub4dor`).then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(failure).toMatchObject({ kind: "source", message: expect.stringContaining("answers 302") });
    expect(JSON.stringify([failure, String(failure)])).not.toMatch(/tr0ub4dor|127\.0\.0\.1|passwd/);
    expect(seen.length).toBeLessThanOrEqual(6);
  });
});
