import type { RequestListener } from "node:http";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { numberOf } from "../../../test/kit/viesResults.ts";
import { serving, upstreamAt, YES, yes } from "../../../test/kit/viesServer.ts";
import { TIMED_OUT, UNREACHABLE, UNREADABLE } from "./codes.ts";

const NUMBER = numberOf("PL", 1);
const NO = { ...YES, valid: false };
const SOON_MS = 60;
/** Never reached, even on a machine that stalls for seconds. */
const LONG_MS = 120_000;

/** The result of one call to a server. */
async function wordFrom(listener: RequestListener, withinMs = LONG_MS) {
  const { url } = await serving(listener);
  return upstreamAt(url).check(NUMBER, undefined, AbortSignal.timeout(withinMs));
}

describe("a request to VIES", () => {
  it("is one POST with an optional requester, with country code and number in separate fields", async () => {
    const seen: unknown[] = [];
    const { url } = await serving(async (request, response) => {
      const body: unknown = JSON.parse(await text(request));
      seen.push([request.method, request.url, request.headers["content-type"], body]);
      response.end(JSON.stringify({ ...YES, requestIdentifier: "WAPIAAAAmadeup00" }));
    });
    const upstream = upstreamAt(url);
    const signal = AbortSignal.timeout(LONG_MS);
    const requester = { countryCode: "EU", national: "123456789" };
    const plain = { countryCode: "PL", vatNumber: NUMBER.national };
    expect(await upstream.check(NUMBER, undefined, signal)).toMatchObject({ kind: "answer", valid: true });
    expect(await upstream.check(NUMBER, requester, signal)).toMatchObject({
      consultationNumber: "WAPIAAAAmadeup00",
    });
    const sent = ["POST", "/base/check-vat-number", "application/json"];
    expect(seen).toEqual([
      [...sent, plain],
      [...sent, { ...plain, requesterMemberStateCode: "EU", requesterNumber: "123456789" }],
    ]);
  });

  it("keeps its connection open for the next", async () => {
    const { url, connections } = await serving(yes);
    const upstream = upstreamAt(url);
    for (let count = 0; count < 20; count++) {
      expect((await upstream.check(NUMBER, undefined, AbortSignal.timeout(LONG_MS))).kind).toBe("answer");
    }
    // A request during the end of the previous response uses another connection.
    expect(connections()).toBeLessThan(5);
  });
});

describe("VIES is unreachable", () => {
  it("when its port is closed, and after closing", async () => {
    const { url, stop } = await serving(yes);
    const upstream = upstreamAt(url);
    const ask = () => upstream.check(NUMBER, undefined, AbortSignal.timeout(LONG_MS));
    expect((await ask()).kind).toBe("answer");
    await stop();
    expect(await ask()).toBe(UNREACHABLE);
    await upstream.close();
    expect(await ask()).toBe(UNREACHABLE);
  });

  it("when it resets the connection before or within the response", async () => {
    expect(await wordFrom((request) => request.socket.resetAndDestroy())).toBe(UNREACHABLE);
    const cut: RequestListener = (request, response) => {
      response.writeHead(200, { "content-length": 1_000 });
      response.write(JSON.stringify(NO), () => request.socket.destroy());
    };
    expect(await wordFrom(cut)).toBe(UNREACHABLE);
  });

  it("when it does not send HTTP", async () => {
    expect(await wordFrom((request) => request.socket.end("VIES SAYS NO\r\n\r\n"))).toBe(UNREACHABLE);
  });
});

describe("VIES is unreadable", () => {
  it("when it sends HTML, nothing, or half of its JSON", async () => {
    for (const body of ["<html>Service unavailable</html>", "", JSON.stringify(NO).slice(0, 50)]) {
      for (const status of [200, 503]) {
        expect(await wordFrom((_, response) => response.writeHead(status).end(body))).toBe(UNREADABLE);
      }
    }
  });

  it("when it redirects", async () => {
    let followed = 0;
    const word = await wordFrom((request, response) => {
      if (request.url === "/elsewhere") followed += 1;
      response.writeHead(307, { location: "/elsewhere" }).end(JSON.stringify(NO));
    });
    expect([word, followed]).toEqual([UNREADABLE, 0]);
  });

  it("when it sends more than 64 KiB, announced or not", async () => {
    const much = JSON.stringify({ ...NO, name: "A".repeat(70_000) });
    expect(await wordFrom((_, response) => response.end(much))).toBe(UNREADABLE);
    const unannounced: RequestListener = (_, response) => {
      for (let start = 0; start < much.length; start += 5_000)
        response.write(much.slice(start, start + 5_000));
      response.end();
    };
    expect(await wordFrom(unannounced)).toBe(UNREADABLE);
    const allowed = JSON.stringify({ ...YES, name: "A".repeat(60_000) });
    expect((await wordFrom((_, response) => response.end(allowed))).kind).toBe("answer");
  });
});

describe("a call is aborted by its signal", () => {
  const dripping: RequestListener = (_, response) => {
    response.writeHead(200);
    const timer = setInterval(() => response.write(" "), 5);
    response.on("close", () => clearInterval(timer));
  };

  it.each([
    ["hangs", () => undefined],
    ["sends its answer byte by byte without end", dripping],
  ] as const)("when VIES %s", async (_, listener) => {
    expect(await wordFrom(listener, SOON_MS)).toBe(TIMED_OUT);
  });

  it("before it is sent, if the signal was already aborted", async () => {
    let asked = 0;
    const { url } = await serving(() => {
      asked += 1;
    });
    expect(await upstreamAt(url).check(NUMBER, undefined, AbortSignal.abort())).toBe(TIMED_OUT);
    expect(asked).toBe(0);
  });
});

describe("the status page", () => {
  const statusOf = async (body: unknown, status = 200) => {
    const { url } = await serving((request, response) => {
      const isAsked = request.method === "GET" && request.url === "/base/check-status";
      response.writeHead(isAsked ? status : 404).end(typeof body === "string" ? body : JSON.stringify(body));
    });
    return upstreamAt(url).availability(AbortSignal.timeout(LONG_MS));
  };

  it("reports unavailable states but not unmonitored ones", async () => {
    const countries = [
      { countryCode: "CZ", availability: "Available" },
      { countryCode: "SK", availability: "Unavailable" },
      { countryCode: "DE", availability: "Monitoring Disabled" },
      { countryCode: { toString: 1 }, availability: "Unavailable" },
      null,
      "ES",
    ];
    expect(await statusOf({ vow: { available: true }, countries })).toEqual({
      isAvailable: true,
      unavailableStates: ["SK"],
    });
    expect(await statusOf({ vow: { available: false } })).toEqual({
      isAvailable: false,
      unavailableStates: [],
    });
  });

  it("is ignored if it is malformed", async () => {
    for (const body of ["", "<html>", "[]", "{}", { vow: null }, { vow: {} }, { countries: [] }]) {
      expect(await statusOf(body)).toBeUndefined();
    }
    expect(await statusOf({ vow: { available: false } }, 500)).toBeUndefined();
  });

  it.each([429, 503])("reports the pause that VIES asks for (%d)", async (status) => {
    const { url } = await serving((_, response) =>
      response.writeHead(status, { "retry-after": "120" }).end(),
    );
    expect(await upstreamAt(url).availability(AbortSignal.timeout(LONG_MS))).toEqual({
      retryAfterSeconds: 120,
    });
  });

  it("rejects if it cannot be fetched in time", async () => {
    const { url } = await serving(() => undefined);
    await expect(upstreamAt(url).availability(AbortSignal.timeout(SOON_MS))).rejects.toThrow();
  });
});
