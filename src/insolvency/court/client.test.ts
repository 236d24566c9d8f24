import { createServer as createHttpsServer } from "node:https";
import { describe, expect, it, onTestFinished } from "vitest";
import { LOCAL_CERTIFICATE, LOCAL_KEY, PRIVATE_ROOT } from "../../../test/kit/certificates.ts";
import { bankruptcy, courtClient, courtSimulator } from "../../../test/kit/courtSimulator.ts";
import { CourtRegister } from "../../demo/court/register.ts";
import type { CourtFault, CourtTarget } from "../../demo/court/server.ts";
import type { CourtClient } from "./client.ts";

const REFERENCE = "16.mne.26.100.F.1300.1.26";
const START = "2012-01-01";
const never = () => new AbortController().signal;

/** The answers of all operations, by their kind or reason. */
async function outcomes(client: CourtClient): Promise<readonly string[]> {
  const answers = [
    await client.modifiedSince(START, never()),
    await client.removedSince(START, never()),
    await client.caseOf(REFERENCE, never()),
  ];
  return answers.map((answer) => (answer.kind === "no-answer" ? answer.reason : answer.kind));
}

describe("the court's client", () => {
  it("returns lists with the court's date, and cases", async () => {
    const register = new CourtRegister([bankruptcy()], Date.parse("2026-11-05T08:00:00.000Z"));
    const client = courtClient(await courtSimulator({ register }));
    expect(await client.modifiedSince(START, never())).toEqual({
      kind: "found",
      value: { items: [REFERENCE], extractedAt: "2026-11-05T08:00:01.0000000+00:00" },
    });
    expect(await client.caseOf(REFERENCE, never())).toMatchObject({
      kind: "found",
      value: { caseNumber: "F.16/26/100", since: "2026-11-03" },
    });
    const { extractedAt } = register;
    register.remove("F.16/26/100");
    expect(await client.removedSince(extractedAt, never())).toEqual({
      kind: "found",
      value: {
        items: [{ caseNumber: "F.16/26/100", publication: REFERENCE, reason: "Eindevindbaarheid" }],
        extractedAt: "2026-11-05T08:00:02.0000000+00:00",
      },
    });
    expect(await client.caseOf(REFERENCE, never())).toEqual({ kind: "none" });
  });

  it("returns a list without changes as an empty one with its date", async () => {
    const register = new CourtRegister([], Date.parse("2026-11-08T08:00:00.000Z"));
    const client = courtClient(await courtSimulator({ register }));
    const empty = { kind: "found", value: { items: [], extractedAt: register.extractedAt } };
    expect(await client.modifiedSince(register.extractedAt, never())).toEqual(empty);
    expect(await client.removedSince(register.extractedAt, never())).toEqual(empty);
  });

  it.each<[fault: CourtFault, all: string]>([
    [{ kind: "code", code: "ANYTHING" }, "FAULT"],
    [{ kind: "login" }, "LOGIN_REFUSED"],
    [{ kind: "exceptie", code: "2" }, "TECHNICAL_FAILURE"],
    [{ kind: "exceptie", code: "3" }, "TOO_MANY_RESULTS"],
    [{ kind: "exceptie", code: "4" }, "WRONG_INPUT"],
    [{ kind: "exceptie", code: "5" }, "expired"],
    [{ kind: "exceptie", code: "6" }, "UNKNOWN_EXCEPTION"],
    [{ kind: "exceptie", code: "99" }, "UNKNOWN_EXCEPTION"],
    [{ kind: "html" }, "SERVER_FAILED"],
    [{ kind: "html", status: 200 }, "UNREADABLE"],
    [{ kind: "html", status: 404 }, "SERVER_FAILED"],
    [{ kind: "tooMany" }, "SERVER_FAILED"],
    [{ kind: "tooMany", status: 403 }, "LOGIN_REFUSED"],
    [{ kind: "truncated" }, "UNREACHABLE"],
    [{ kind: "cutJson" }, "UNREADABLE"],
    [{ kind: "reset" }, "UNREACHABLE"],
    [{ kind: "namespace" }, "UNREADABLE"],
    [{ kind: "hang" }, "TIMED_OUT"],
    [{ kind: "latency", ms: 60_000 }, "TIMED_OUT"],
    [{ kind: "slowBody", everyMs: 10_000 }, "TIMED_OUT"],
    [{ kind: "soap11" }, "found"],
    [{ kind: "bom" }, "found"],
    [{ kind: "interim" }, "found"],
    [{ kind: "compressed", coding: "gzip" }, "found"],
  ])("answers %j as %s, never as none", async (fault, all) => {
    const court = await courtSimulator({ register: new CourtRegister([bankruptcy()]) });
    court.setFault("*", fault);
    const client = courtClient(court, { callWithinMs: all === "TIMED_OUT" ? 200 : 60_000 });
    expect(await outcomes(client)).toEqual([all, all, all]);
  });

  it.each<[target: CourtTarget, fault: CourtFault, expected: readonly string[]]>([
    ["getCase", { kind: "otherCase" }, ["found", "found", "WRONG_CASE"]],
    ["getCase", { kind: "exceptie", code: "1" }, ["found", "found", "none"]],
    ["*", { kind: "exceptie", code: "1" }, ["found", "found", "none"]],
  ])("answers %s %j as %j", async (target, fault, expected) => {
    const cases = [bankruptcy(), bankruptcy({ caseNumber: "F.16/26/101" })];
    const court = await courtSimulator({ register: new CourtRegister(cases) });
    court.setFault(target, fault);
    expect(await outcomes(courtClient(court))).toEqual(expected);
  });

  it("escapes the login, and reports a wrong one without its words", async () => {
    const register = new CourtRegister([bankruptcy()]);
    const login = { user: `<a> & "b"`, password: "]]>&amp;'é" };
    const court = await courtSimulator({ register, ...login });
    const url = court.url;
    expect(await outcomes(courtClient(court, { access: { url, ...login } }))).toEqual(Array(3).fill("found"));
    const wrong = courtClient(court, { access: { url, user: "secret-user", password: "secret-word" } });
    const answer = await wrong.modifiedSince(START, never());
    expect(answer).toMatchObject({ kind: "no-answer", reason: "LOGIN_REFUSED" });
    expect(JSON.stringify(answer)).not.toMatch(/secret/);
  });

  it("makes at most two calls at once", async () => {
    const court = await courtSimulator({ register: new CourtRegister([bankruptcy()]) });
    const client = courtClient(court);
    court.setFault("*", { kind: "hang" });
    const answers = Array.from({ length: 20 }, () => client.caseOf(REFERENCE, never()));
    while (court.counts.all.inFlight < 2) await new Promise((resolve) => setImmediate(resolve));
    court.clearFaults();
    expect((await Promise.all(answers)).every(({ kind }) => kind === "found")).toBe(true);
    expect(court.counts.all).toMatchObject({ requests: 20, maxInFlight: 2 });
  });

  it("stops calling a court that fails, and tries again after a minute", async () => {
    const court = await courtSimulator({ register: new CourtRegister([bankruptcy()]) });
    const changes: boolean[] = [];
    let elapsedMs = 0;
    const client = courtClient(court, {
      elapsed: () => elapsedMs,
      onChange: (isOpen) => changes.push(isOpen),
    });
    court.setFault("*", { kind: "html" });
    expect(await outcomes(client)).toEqual(Array(3).fill("SERVER_FAILED"));
    expect(await outcomes(client)).toEqual(Array(3).fill("NOT_ASKED"));
    expect(client.health).toBe("down");
    expect(client.shown).toEqual({ what: "court", isOpen: true });
    expect(court.counts.all.requests).toBe(3);
    court.clearFaults();
    elapsedMs += 60_001;
    expect(await outcomes(client)).toEqual(Array(3).fill("found"));
    expect(client.health).toBe("up");
    expect(changes).toEqual([true, false]);
  });

  it("ends a call with the caller's signal", async () => {
    const court = await courtSimulator();
    court.setFault("*", { kind: "hang" });
    const ending = new AbortController();
    const answer = courtClient(court).caseOf(REFERENCE, ending.signal);
    while (court.counts.all.inFlight === 0) await new Promise((resolve) => setImmediate(resolve));
    ending.abort();
    expect(await answer).toMatchObject({ kind: "no-answer", reason: "CUT_SHORT" });
  });

  it("trusts the court's private root only if it is set", async () => {
    const server = createHttpsServer({ key: LOCAL_KEY, cert: LOCAL_CERTIFICATE }, (_, response) =>
      response.end(),
    );
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const address = server.address();
    const url = `https://127.0.0.1:${typeof address === "object" ? address?.port : ""}/`;
    const access = { url, user: "u", password: "p" };
    expect((await outcomes(courtClient({ url }, { access })))[0]).toBe("UNTRUSTED_CERTIFICATE");
    const trusting = courtClient({ url }, { access: { ...access, extraCertificates: PRIVATE_ROOT } });
    expect((await outcomes(trusting))[0]).toBe("UNREADABLE");
    expect(() => courtClient({ url }, { access: { ...access, extraCertificates: "no PEM" } })).toThrow(
      /CIR_CA/,
    );
  });
});
