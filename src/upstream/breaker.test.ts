import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Breaker, type CallOutcome, type Probe } from "./breaker.ts";

const TERMS = { failures: 3, openForMs: 100, maxOpenForMs: 350 };

/** Sequential calls at one time, each permitted. */
function calls(breaker: Breaker, nowMs: number, ...courses: CallOutcome[]): void {
  for (const outcome of courses) {
    expect(breaker.permits(nowMs)).toBe(true);
    breaker.leave(outcome, nowMs, breaker.enter());
  }
}

describe("a breaker", () => {
  it("opens after consecutive failures, and a success resets the count", () => {
    const breaker = new Breaker(TERMS);
    calls(breaker, 0, "failed", "failed", "worked", "failed", "failed");
    expect(breaker.isOpen).toBe(false);
    calls(breaker, 0, "failed");
    expect(breaker.isOpen).toBe(true);
    expect(breaker.permits(99)).toBe(false);
  });

  it("is reported as failing while open and for a minute after a failure, then as unknown", () => {
    const breaker = new Breaker(TERMS);
    calls(breaker, 0, "failed", "failed");
    expect(breaker.isFailing(0)).toBe(false);
    calls(breaker, 0, "failed");
    expect([0, 100, 59_999, 60_000].map((nowMs) => breaker.isFailing(nowMs))).toEqual([
      true,
      true,
      true,
      false,
    ]);
    // The next call may be far away.
    const probe = breaker.enter();
    expect(breaker.isFailing(90_000)).toBe(true);
    breaker.leave("failed", 90_000, probe);
    expect([149_999, 150_000].map((nowMs) => breaker.isFailing(nowMs))).toEqual([true, false]);
    calls(breaker, 150_000, "worked");
    expect(breaker.isFailing(150_000)).toBe(false);
    const patient = new Breaker({ failures: 1, openForMs: 300_000, maxOpenForMs: 300_000 });
    calls(patient, 0, "failed");
    expect([299_999, 300_000].map((nowMs) => patient.isFailing(nowMs))).toEqual([true, false]);
  });

  it("ignores a call without a conclusive outcome", () => {
    const breaker = new Breaker(TERMS);
    calls(breaker, 0, "failed", "unknown", "failed", "unknown", "unknown");
    expect(breaker.isOpen).toBe(false);
    calls(breaker, 0, "failed");
    expect(breaker.isOpen).toBe(true);
  });

  it("permits exactly one probe after the pause, and all calls after its success", () => {
    const breaker = new Breaker(TERMS);
    calls(breaker, 0, "failed", "failed", "failed");
    expect(breaker.permits(100)).toBe(true);
    const probe = breaker.enter();
    for (const nowMs of [100, 5_000, 1e12]) expect(breaker.permits(nowMs)).toBe(false);
    breaker.leave("worked", 150, probe);
    expect(breaker.isOpen).toBe(false);
    calls(breaker, 150, "failed", "failed");
    expect(breaker.isOpen).toBe(false);
  });

  it("doubles its pause after each failed probe, up to a limit", () => {
    const breaker = new Breaker(TERMS);
    calls(breaker, 0, "failed", "failed", "failed");
    let nowMs = 0;
    for (const openForMs of [100, 200, 350, 350]) {
      expect(breaker.permits(nowMs + openForMs - 1)).toBe(false);
      nowMs += openForMs;
      calls(breaker, nowMs, "failed");
    }
    calls(breaker, nowMs + 350, "worked", "failed", "failed", "failed");
    expect(breaker.permits(nowMs + 350 + 99)).toBe(false);
    expect(breaker.permits(nowMs + 350 + 100)).toBe(true);
  });

  it("permits another probe at once after an inconclusive one", () => {
    const breaker = new Breaker(TERMS);
    calls(breaker, 0, "failed", "failed", "failed");
    calls(breaker, 100, "unknown");
    expect(breaker.isOpen).toBe(true);
    calls(breaker, 100, "worked");
    expect(breaker.isOpen).toBe(false);
  });

  it("is closed by the success of an older call, and not prolonged by failures of older ones", () => {
    const breaker = new Breaker(TERMS);
    const older = Array.from({ length: 4 }, () => breaker.enter());
    calls(breaker, 0, "failed", "failed", "failed");
    for (const probe of older.slice(1)) breaker.leave("failed", 50, probe);
    expect(breaker.permits(100)).toBe(true);
    breaker.leave("worked", 60, older[0]);
    expect(breaker.isOpen).toBe(false);
  });

  it("permits no second probe when the probe of an earlier opening ends late", () => {
    const breaker = new Breaker(TERMS);
    const older = breaker.enter();
    calls(breaker, 0, "failed", "failed", "failed");
    const lateTrial = breaker.enter();
    breaker.leave("worked", 110, older);
    calls(breaker, 120, "failed", "failed", "failed");
    breaker.enter();
    breaker.leave("unknown", 230, lateTrial);
    expect(breaker.permits(230)).toBe(false);
    breaker.leave("failed", 230, lateTrial);
    expect(breaker.permits(10_000)).toBe(false);
  });
});

describe("a breaker whose upstream asks for a pause", () => {
  const paused = (pauseMs: number, terms = TERMS) => {
    const breaker = new Breaker(terms);
    breaker.leave("failed", 0, breaker.enter(), pauseMs);
    return breaker;
  };

  it("opens at once for that pause, and then permits one probe", () => {
    const breaker = paused(30_000);
    expect([breaker.isOpen, breaker.permits(29_999), breaker.permits(30_000)]).toEqual([true, false, true]);
    expect(breaker.isFailing(29_999)).toBe(true);
    calls(breaker, 30_000, "worked");
    expect([breaker.isOpen, breaker.permits(30_000)]).toEqual([false, true]);
  });

  it("is not closed by the success of an earlier call, and is prolonged by a longer pause", () => {
    const breaker = new Breaker(TERMS);
    const [first, second, third] = [breaker.enter(), breaker.enter(), breaker.enter()];
    breaker.leave("failed", 0, first, 10_000);
    breaker.leave("worked", 1, second);
    expect(breaker.permits(9_999)).toBe(false);
    breaker.leave("failed", 2, third, 20_000);
    expect([breaker.permits(20_001), breaker.permits(20_002)]).toEqual([false, true]);
  });

  it("pauses at least as long as usual and at most ten minutes", () => {
    const breaker = paused(1, { ...TERMS, failures: 1 });
    expect([breaker.permits(99), breaker.permits(100)]).toEqual([false, true]);
    const long = paused(86_400_000);
    expect([long.permits(599_999), long.permits(600_000)]).toEqual([false, true]);
  });

  it("continues with its own pauses when the probe fails without another request", () => {
    const breaker = paused(30_000);
    calls(breaker, 30_000, "failed");
    expect([breaker.permits(30_199), breaker.permits(30_200)]).toEqual([false, true]);
  });

  it("respects it only for failures in its scope", () => {
    for (const outcome of ["worked", "unknown"] as const) {
      const breaker = new Breaker(TERMS);
      breaker.leave(outcome, 0, breaker.enter(), 30_000);
      expect(breaker.isOpen).toBe(false);
    }
  });
});

/** A simple model: consecutive failures, a numbered opening, and the opening that is being probed. */
class Model {
  row = 0;
  opening = 0;
  isOpen = false;
  untilMs = 0;
  forMs = 0;
  tried = 0;

  permits(nowMs: number): boolean {
    return !this.isOpen || (this.tried !== this.opening && nowMs >= this.untilMs);
  }

  enter(): number {
    if (this.isOpen) this.tried = this.opening;
    return this.isOpen ? this.opening : 0;
  }

  leave(outcome: CallOutcome, nowMs: number, opening: number): void {
    const isTrial = this.isOpen && opening === this.opening;
    if (outcome === "worked") {
      this.row = 0;
      this.isOpen = false;
    } else if (outcome === "failed") {
      this.row += this.isOpen ? 0 : 1;
      if (isTrial) this.open(this.forMs * 2, nowMs);
      else if (!this.isOpen && this.row === TERMS.failures) this.open(TERMS.openForMs, nowMs);
    } else if (isTrial) {
      this.tried = 0;
    }
  }

  open(forMs: number, nowMs: number): void {
    this.isOpen = true;
    this.opening += 1;
    this.forMs = Math.min(forMs, TERMS.maxOpenForMs);
    this.untilMs = nowMs + this.forMs;
  }
}

describe("any sequence of overlapping calls", () => {
  const outcome = fc.constantFrom<CallOutcome>("worked", "failed", "failed", "failed", "unknown");
  const event = fc.oneof(
    fc.record({ kind: fc.constant("wait" as const), ms: fc.integer({ min: 0, max: 300 }) }),
    fc.record({ kind: fc.constant("call" as const) }),
    fc.record({ kind: fc.constant("call" as const) }),
    fc.record({ kind: fc.constant("end" as const), which: fc.nat(), outcome }),
    fc.record({ kind: fc.constant("end" as const), which: fc.nat(), outcome }),
  );

  it("matches the model and never has two concurrent probes", () => {
    let trials = 0;
    let doubled = 0;
    fc.assert(
      fc.property(fc.array(event, { maxLength: 80, size: "max" }), (events) => {
        const breaker = new Breaker(TERMS);
        const model = new Model();
        const inProgress: { probe: Probe; opening: number }[] = [];
        let nowMs = 0;
        for (const one of events) {
          if (one.kind === "wait") nowMs += one.ms;
          expect(breaker.permits(nowMs)).toBe(model.permits(nowMs));
          if (one.kind === "call" && breaker.permits(nowMs)) {
            const call = { probe: breaker.enter(), opening: model.enter() };
            const same = inProgress.filter(({ opening }) => opening === call.opening && call.opening > 0);
            expect(same).toEqual([]);
            inProgress.push(call);
            if (call.opening > 0) trials += 1;
          }
          const [ended] =
            one.kind === "end" ? inProgress.splice(one.which % (inProgress.length || 1), 1) : [];
          if (one.kind === "end" && ended !== undefined) {
            breaker.leave(one.outcome, nowMs, ended.probe);
            model.leave(one.outcome, nowMs, ended.opening);
            if (model.forMs > TERMS.openForMs) doubled += 1;
          }
          expect(breaker.isOpen).toBe(model.isOpen);
        }
      }),
      { numRuns: 300 },
    );
    expect(Math.min(trials, doubled)).toBeGreaterThan(50);
  });
});
