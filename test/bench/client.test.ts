import { describe, expect, it } from "vitest";
import { AnswerReader } from "../../bench/answerReader.ts";
import { Histogram } from "../../bench/histogram.ts";
import { load } from "../../bench/load.ts";
import { middle } from "../../bench/measure.ts";
import { servingPort } from "../kit/server.ts";

describe("AnswerReader", () => {
  const answer = Buffer.from(
    'HTTP/1.1 200 OK\r\nx-tokens-charged: 5\r\ncontent-length: 12\r\nx-other: 9\r\n\r\n{"a":"\u00e9\u00e9"}',
  );

  it("finds status, charge and body wherever the chunks are cut", () => {
    for (let cut = 1; cut < answer.length; cut++) {
      const reader = new AnswerReader();
      expect(reader.read(answer.subarray(0, cut))).toBeUndefined();
      const read = reader.read(answer.subarray(cut));
      expect([read?.status, read?.tokensCharged, read?.body.toString()]).toEqual([200, 5, '{"a":"éé"}']);
    }
  });

  it("does not take a header's name in a body for the header", () => {
    const body = "x-tokens-charged: 7";
    const reader = new AnswerReader();
    const read = reader.read(
      Buffer.from(`HTTP/1.1 404 Not Found\r\ncontent-length: ${body.length}\r\n\r\n${body}`),
    );
    expect(read).toMatchObject({ status: 404, tokensCharged: 0 });
  });

  it("says so when an answer has no length", () => {
    expect(() => new AnswerReader().read(Buffer.from("HTTP/1.1 200 OK\r\n\r\n"))).toThrow(/Content-Length/);
  });
});

describe("Histogram", () => {
  it("gives the time within which a share of the answers came", () => {
    const histogram = new Histogram();
    for (let us = 1; us <= 1_000; us++) histogram.add(us);
    expect([0.5, 0.99, 1].map((share) => histogram.quantile(share))).toEqual([500, 990, 1_000]);
    const copy = new Histogram();
    copy.addAll(histogram.entries());
    expect(copy.quantile(0.5)).toBe(500);
  });
});

describe("the load client", () => {
  it("sees every answer that the server gave, to the last one, and adds up what was charged", async () => {
    let answered = 0;
    const paths = new Set<string>();
    const port = await servingPort((request, response) => {
      paths.add(`${request.method} ${request.url} ${request.headers.authorization}`);
      request.resume();
      request.on("end", () => {
        answered++;
        response.writeHead(answered % 2 === 0 ? 200 : 404, {
          "X-Tokens-Charged": "3",
          "Content-Length": "2",
        });
        response.end("{}");
      });
    });
    const headers = { authorization: "Bearer of-nobody" };
    const outcome = await load({
      port,
      calls: [
        { method: "GET", path: "/one", headers },
        { method: "POST", path: "/two", headers, body: '{"text":"é"}' },
      ],
      connections: 8,
      seconds: 0.3,
    });
    expect(outcome.answers).toBe(answered);
    expect(outcome.answers).toBeGreaterThan(8);
    expect(Object.values(outcome.statuses).reduce((sum, times) => sum + times, 0)).toBe(answered);
    expect(outcome.tokens).toBe(3 * answered);
    expect([...paths].sort()).toEqual(["GET /one Bearer of-nobody", "POST /two Bearer of-nobody"]);
  });

  it("fails when the server drops a connection, instead of counting less", async () => {
    const port = await servingPort((request) => {
      request.socket.destroy();
    });
    const job = { calls: [{ method: "GET" as const, path: "/", headers: {} }], connections: 2, seconds: 1 };
    await expect(load({ port, ...job })).rejects.toThrow();
  });
});

describe("middle", () => {
  it("is the middle round, or between the two in the middle", () => {
    expect(middle([0.5, 0.1, 0.4])).toBe(0.4);
    expect(middle([0.1, 0.2, 0.3, 0.4])).toBe(0.25);
  });
});
