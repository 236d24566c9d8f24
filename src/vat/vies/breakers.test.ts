import { describe, expect, it } from "vitest";
import { answered, FAULTS } from "../../../test/kit/viesResults.ts";
import type { CallOutcome } from "../../upstream/breaker.ts";
import { callOutcome } from "../../upstream/breakers.ts";
import { STATE_CODES, type StateCode } from "../numbers/states.ts";
import { viesBreakers, viesParts } from "./breakers.ts";
import { CUT_SHORT, resultOfCode, TIMED_OUT, UNREACHABLE, UNREADABLE } from "./codes.ts";
import type { ViesResult } from "./results.ts";

const SECOND = 1_000;
const VALID = answered(true);

/** Breakers with a manual clock, and their events. */
function stage() {
  const clock = { nowMs: 0 };
  const changes: string[] = [];
  const breakers = viesBreakers({
    now: () => clock.nowMs,
    onChange: (what, isOpen, reason) => changes.push(`${what} ${isOpen ? "opens" : "closes"}: ${reason}`),
  });
  const ask = async (state: StateCode, ...words: ViesResult[]) => {
    const given: (ViesResult | undefined)[] = [];
    for (const result of words) given.push(await breakers.run(state, async () => result));
    return given;
  };
  const askCodes = (state: StateCode, ...codes: string[]) => ask(state, ...codes.map(resultOfCode));
  return { clock, changes, breakers, ask, askCodes };
}

describe("the outcome of a call", () => {
  type Outcomes = readonly [address: CallOutcome, vies: CallOutcome, state: CallOutcome];
  const ADDRESS_FAILED: Outcomes = ["failed", "unknown", "unknown"];
  const VIES_FAILED: Outcomes = ["worked", "failed", "unknown"];
  const STATE_FAILED: Outcomes = ["worked", "worked", "failed"];
  const CALL_FAILED: Outcomes = ["worked", "worked", "unknown"];
  const NOTHING_TOLD: Outcomes = ["unknown", "unknown", "unknown"];
  const EXPECTED: Readonly<Record<string, Outcomes>> = {
    IP_BLOCKED: ADDRESS_FAILED,
    GLOBAL_MAX_CONCURRENT_REQ: VIES_FAILED,
    GLOBAL_MAX_CONCURRENT_REQ_TIME: VIES_FAILED,
    SERVICE_UNAVAILABLE: VIES_FAILED,
    SERVER_BUSY: VIES_FAILED,
    MS_UNAVAILABLE: STATE_FAILED,
    MS_MAX_CONCURRENT_REQ: STATE_FAILED,
    MS_MAX_CONCURRENT_REQ_TIME: STATE_FAILED,
    TIMEOUT: STATE_FAILED,
    "VOW-ERR-1": CALL_FAILED,
    "VOW-ERR-11": CALL_FAILED,
    "VOW-ERR-2600": CALL_FAILED,
    INVALID_INPUT: CALL_FAILED,
    VAT_BLOCKED: CALL_FAILED,
    INVALID_REQUESTER_INFO: CALL_FAILED,
    "VOW-ERR-2500": CALL_FAILED,
    "VOW-ERR-2700": CALL_FAILED,
    NEVER_SEEN: CALL_FAILED,
    "(UNREACHABLE)": ["unknown", "failed", "unknown"],
    "(UNREADABLE)": ["unknown", "failed", "unknown"],
    "(TIMED_OUT)": ["unknown", "unknown", "failed"],
    "(BAD_REQUEST)": NOTHING_TOLD,
    "(OTHER_NUMBER)": ["unknown", "failed", "unknown"],
    "(CUT_SHORT)": NOTHING_TOLD,
    "(NOT_ASKED)": NOTHING_TOLD,
    "(QUEUED_TOO_LONG)": NOTHING_TOLD,
  };
  const outcomesOf = (result: ViesResult | undefined) => viesParts().map((part) => callOutcome(part, result));

  it.each(FAULTS)("counts against its scope and clears the scopes above: %s", (name, result) => {
    expect(outcomesOf(result)).toEqual(EXPECTED[name]);
  });

  it("clears everything after a response, and nothing after an aborted call", () => {
    for (const valid of [true, false]) {
      expect(outcomesOf(answered(valid))).toEqual(["worked", "worked", "worked"]);
    }
    expect(outcomesOf(undefined)).toEqual(NOTHING_TOLD);
  });
});

describe("the breakers", () => {
  it.each(["MS_UNAVAILABLE", "MS_MAX_CONCURRENT_REQ", "MS_MAX_CONCURRENT_REQ_TIME", "TIMEOUT"])(
    "open for a state after five consecutive %s, and for no other state",
    async (code) => {
      const { breakers, askCodes, changes } = stage();
      await askCodes("DE", code, code, code, code);
      expect(breakers.permits("DE")).toBe(true);
      await askCodes("DE", code);
      expect(STATE_CODES.filter((state) => !breakers.permits(state))).toEqual(["DE"]);
      expect(breakers.failing).toEqual({ isShared: false, targets: ["DE"] });
      expect(changes).toEqual([`DE opens: ${code}`]);
    },
  );

  it("open for a state that hangs, as for a reported failure", async () => {
    const { breakers, ask } = stage();
    await ask("FR", TIMED_OUT, TIMED_OUT, TIMED_OUT, TIMED_OUT, TIMED_OUT);
    expect(breakers.failing).toEqual({ isShared: false, targets: ["FR"] });
  });

  it("do not count calls with too little time against a state", async () => {
    const { breakers, ask } = stage();
    await ask("FR", ...Array<ViesResult>(50).fill(CUT_SHORT));
    expect(breakers.failing).toEqual({ isShared: false, targets: [] });
  });

  it("open for all of VIES for minutes at the first IP_BLOCKED", async () => {
    const { breakers, askCodes, clock, changes } = stage();
    await askCodes("NL", "IP_BLOCKED");
    expect(STATE_CODES.filter((state) => breakers.permits(state))).toEqual([]);
    expect(breakers.failing).toEqual({ isShared: true, targets: [] });
    expect(changes).toEqual(["address opens: IP_BLOCKED"]);
    clock.nowMs = 299 * SECOND;
    expect(breakers.permits("NL")).toBe(false);
    clock.nowMs = 300 * SECOND;
    expect(breakers.permits("NL")).toBe(true);
  });

  it("open for all of VIES after five consecutive GLOBAL_* over any states", async () => {
    const { breakers, askCodes, changes } = stage();
    for (const state of ["NL", "DE", "FR", "IT"] as const) await askCodes(state, "GLOBAL_MAX_CONCURRENT_REQ");
    expect(breakers.permits("ES")).toBe(true);
    await askCodes("NL", "GLOBAL_MAX_CONCURRENT_REQ_TIME");
    expect(STATE_CODES.filter((state) => breakers.permits(state))).toEqual([]);
    expect(changes).toEqual(["vies opens: GLOBAL_MAX_CONCURRENT_REQ_TIME"]);
  });

  it("treat the failure of one state as a sign that VIES is up", async () => {
    const { breakers, askCodes } = stage();
    for (let round = 0; round < 4; round++) {
      await askCodes("NL", "SERVICE_UNAVAILABLE", "SERVICE_UNAVAILABLE", "SERVICE_UNAVAILABLE");
      await askCodes("DE", "MS_UNAVAILABLE");
    }
    expect(breakers.permits("NL")).toBe(true);
    expect(breakers.failing.isShared).toBe(false);
  });

  it.each([
    "INVALID_REQUESTER_INFO",
    "VOW-ERR-2500",
    "VOW-ERR-2700",
    "VAT_BLOCKED",
    "INVALID_INPUT",
    "NEVER_SEEN",
  ])("do not open for %s, and keep the failures of the state", async (code) => {
    const { breakers, askCodes } = stage();
    await askCodes("NL", ...Array<string>(50).fill(code));
    expect(breakers.failing).toEqual({ isShared: false, targets: [] });
    await askCodes(
      "DE",
      "MS_UNAVAILABLE",
      code,
      "MS_UNAVAILABLE",
      code,
      "MS_UNAVAILABLE",
      "MS_UNAVAILABLE",
      code,
    );
    expect(breakers.permits("DE")).toBe(true);
    await askCodes("DE", "MS_UNAVAILABLE");
    expect(breakers.permits("DE")).toBe(false);
  });

  it("are not closed by a requester error: the next call is the probe", async () => {
    const { breakers, askCodes, ask, clock, changes } = stage();
    await askCodes("DE", ...Array<string>(5).fill("MS_UNAVAILABLE"));
    clock.nowMs = 2 * SECOND;
    await askCodes("DE", "INVALID_REQUESTER_INFO");
    expect(breakers.failing.targets).toEqual(["DE"]);
    expect(await ask("DE", VALID)).toEqual([VALID]);
    expect(changes).toEqual(["DE opens: MS_UNAVAILABLE", "DE closes: answered"]);
  });

  it.each([UNREACHABLE, UNREADABLE])("open for all of VIES when it is down: $reason", async (result) => {
    const { breakers, ask, clock } = stage();
    await ask("NL", result, result, result, result, result);
    expect(breakers.failing).toEqual({ isShared: true, targets: [] });
    expect(await ask("DE", VALID)).toEqual([undefined]);
    clock.nowMs = 2 * SECOND;
    expect(await ask("DE", VALID, VALID)).toEqual([VALID, VALID]);
    expect(breakers.failing.isShared).toBe(false);
  });

  it("permit exactly one probe after the pause, and no other calls until it succeeds", async () => {
    const { breakers, askCodes, clock } = stage();
    await askCodes("NL", ...Array<string>(5).fill("SERVICE_UNAVAILABLE"));
    clock.nowMs = 2 * SECOND;
    const probe = Promise.withResolvers<ViesResult>();
    let called = 0;
    const asked = STATE_CODES.flatMap((state) =>
      Array.from({ length: 10 }, () =>
        breakers.run(state, () => {
          called += 1;
          return probe.promise;
        }),
      ),
    );
    expect(called).toBe(1);
    probe.resolve(VALID);
    const words = await Promise.all(asked);
    expect(words.filter((result) => result === VALID)).toHaveLength(1);
    expect(words.filter((result) => result === undefined)).toHaveLength(279);
    expect(breakers.permits("NL")).toBe(true);
  });

  it("permit another probe after an aborted one", async () => {
    const { breakers, askCodes, ask, clock } = stage();
    await askCodes("NL", ...Array<string>(5).fill("MS_UNAVAILABLE"));
    clock.nowMs = 2 * SECOND;
    const broken = breakers.run("NL", () => Promise.reject(new Error("broke off")));
    await expect(broken).rejects.toThrow("broke off");
    expect(await ask("NL", VALID)).toEqual([VALID]);
  });

  it("report only changes", async () => {
    const { askCodes, ask, changes } = stage();
    await ask("NL", VALID, VALID, answered(false));
    await askCodes("NL", "MS_UNAVAILABLE", "MS_UNAVAILABLE", "VAT_BLOCKED");
    await ask("NL", VALID);
    expect(changes).toEqual([]);
  });
});
