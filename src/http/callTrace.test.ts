import { describe, expect, it } from "vitest";
import { parseTraceParent } from "./callTrace.ts";

const TRACE = "0af7651916cd43dd8448eb211c80319c";
const SPAN = "b7ad6b7169203331";

describe("traceparent", () => {
  it("is parsed like the example in the specification", () => {
    expect(parseTraceParent(`00-${TRACE}-${SPAN}-01`)).toEqual({
      traceId: TRACE,
      spanId: SPAN,
      isSampled: true,
    });
    expect(parseTraceParent(`00-${TRACE}-${SPAN}-00`)?.isSampled).toBe(false);
    expect(parseTraceParent(`00-${TRACE}-${SPAN}-03`)?.isSampled).toBe(true);
  });

  it("of a later version is parsed as far as it is known", () => {
    expect(parseTraceParent(`cc-${TRACE}-${SPAN}-01-what-comes-later`)?.traceId).toBe(TRACE);
  });

  it.each([
    ["absent", undefined],
    ["twice", [`00-${TRACE}-${SPAN}-01`, `00-${TRACE}-${SPAN}-01`]],
    ["empty", ""],
    ["of version ff", `ff-${TRACE}-${SPAN}-01`],
    ["of version 00 with extra fields", `00-${TRACE}-${SPAN}-01-more`],
    ["in capitals", `00-${TRACE.toUpperCase()}-${SPAN}-01`],
    ["without a trace id", `00-${"0".repeat(32)}-${SPAN}-01`],
    ["without a span id", `00-${TRACE}-${"0".repeat(16)}-01`],
    ["too short", `00-${TRACE.slice(1)}-${SPAN}-01`],
    ["with a key in it", `00-opz_live_${TRACE}-${SPAN}-01`],
  ])("is ignored if it is %s", (_, header) => {
    expect(parseTraceParent(header)).toBeUndefined();
  });
});
