import { describe, expect, it } from "vitest";
import { median, quantile } from "../../bench/figures.ts";
import { load } from "../../bench/load.ts";
import { ResponseReader } from "../../bench/responseReader.ts";
import { servingPort } from "../kit/server.ts";

describe("ResponseReader", () => {
  const answer = Buffer.from(
    'HTTP/1.1 200 OK\r\nx-tokens-charged: 5\r\ncontent-length: 12\r\nx-other: 9\r\n\r\n{"a":"\u00e9\u00e9"}',
  );

  it("returns status, charge and body however the chunks are split", () => {
    for (let cut = 1; cut < answer.length; cut++) {
      const reader = new ResponseReader();
      expect(reader.read(answer.subarray(0, cut))).toBeUndefined();
      const read = reader.read(answer.subarray(cut));
      expect([read?.status, read?.tokensCharged, read?.body.toString()]).toEqual([200, 5, '{"a":"éé"}']);
    }
  });

  it("does not read headers from a body", () => {
    const body = "x-tokens-charged: 7";
    const reader = new ResponseReader();
    const read = reader.read(
      Buffer.from(`HTTP/1.1 404 Not Found\r\ncontent-length: ${body.length}\r\n\r\n${body}`),
    );
    expect(read).toMatchObject({ status: 404, tokensCharged: 0 });
  });

  it("throws if a response has no length", () => {
    expect(() => new ResponseReader().read(Buffer.from("HTTP/1.1 200 OK\r\n\r\n"))).toThrow(/content-length/);
  });
});

describe("percentiles", () => {
  it("are the value within which a given share of the numbers lies, and the median", () => {
    const numbers = Array.from({ length: 1_000 }, (_, index) => index + 1);
    expect([0.5, 0.99, 1].map((share) => quantile(numbers, share))).toEqual([500, 990, 1_000]);
    expect(quantile([], 0.5)).toBe(0);
    expect(median([0.5, 0.1, 0.4])).toBe(0.4);
    expect(median([0.4, 0.3, 0.2, 0.1])).toBe(0.2);
  });
});

describe("the load client", () => {
  it("counts every response of the server, including the last, and sums the charges", async () => {
    let answered = 0;
    const calls = new Set<string>();
    const port = await servingPort((request, response) => {
      calls.add(`${request.method} ${request.url} ${request.headers.authorization}`);
      answered++;
      response.writeHead(answered === 3 ? 404 : 200, { "x-tokens-charged": "3", "content-length": "2" });
      response.end("{}");
    });
    const outcome = await load({
      port,
      calls: [
        { path: "/one", key: "of-nobody" },
        { path: "/two", key: "of-nobody" },
      ],
      connections: 8,
      seconds: 0.3,
    });
    expect(outcome.latenciesUs).toHaveLength(answered);
    expect(answered).toBeGreaterThan(8);
    expect(outcome.tokens).toBe(3 * answered);
    expect(outcome.failure).toBe("404 {}");
    expect([...calls].sort()).toEqual(["GET /one Bearer of-nobody", "GET /two Bearer of-nobody"]);
  });

  it("fails when the server drops a connection, instead of counting fewer responses", async () => {
    const port = await servingPort((request) => {
      request.socket.destroy();
    });
    const job = { calls: [{ path: "/", key: "of-nobody" }], connections: 2, seconds: 1 };
    await expect(load({ port, ...job })).rejects.toThrow();
  });
});
