import { expect, it } from "vitest";
import { causeOf, heardLoss } from "./causes.ts";

const SECRET = "tr0ub4dor";
const failed = (message: string, more: object = {}) => Object.assign(new Error(message), more);
const refusedBy = (host: string) =>
  failed(`connect ECONNREFUSED ${host}:4318`, { code: "ECONNREFUSED", syscall: "connect" });

it.each([
  ["what the system says", refusedBy("127.0.0.1"), "connect ECONNREFUSED 127.0.0.1:4318"],
  ["its code where it says nothing", failed("", { code: "ECONNRESET", syscall: "read" }), "ECONNRESET"],
  [
    "each address that was tried",
    Object.assign(new AggregateError([refusedBy("::1"), refusedBy("127.0.0.1"), refusedBy("127.0.0.1")]), {
      code: "ECONNREFUSED",
    }),
    "connect ECONNREFUSED ::1:4318, connect ECONNREFUSED 127.0.0.1:4318",
  ],
  ["a code alone where no causes are told", Object.assign(new AggregateError([]), { code: "EX" }), "EX"],
  ["the status, with a phrase", failed(`no ${SECRET}`, { code: 401, data: SECRET }), "HTTP 401"],
  ["the status, without one", failed("", { code: 401, data: "" }), "HTTP 401"],
  [
    "a status that was tried again",
    failed("Export failed with retryable status"),
    "HTTP 429, 502, 503 or 504",
  ],
  [
    "no word of a header",
    failed(`no token ["${SECRET}"]`, { code: "ERR_INVALID_HTTP_TOKEN" }),
    "ERR_INVALID_HTTP_TOKEN",
  ],
  ["what the library says", failed("Concurrent export limit reached"), "Concurrent export limit reached"],
  ["the name of an error without any word", new TypeError(""), "TypeError"],
  ["something of what is no error", undefined, "an unknown error"],
])("tells %s", (_, error, cause) => {
  expect(causeOf(error)).toContain(cause);
  expect(causeOf(error)).not.toContain(SECRET);
});

it.each([
  ["Dropped 440 spans because maxQueueSize reached", [], { spans: 440 }],
  [
    "Received Partial Success response:",
    ['{"rejectedSpans":"512","errorMessage":"tr0ub4dor"}'],
    { spans: 512 },
  ],
  ["Received Partial Success response:", ['{"rejectedSpans":7}'], { spans: 7 }],
  ["Received Partial Success response:", ['{"errorMessage":"all were taken, but"}'], undefined],
  ["Received Partial Success response:", ["{"], undefined],
  ["Failed to parse trace export response: tr0ub4dor. Returning empty response", [], { spans: 0 }],
  ["Configuration: Could not parse environment-provided export URL: 'tr0ub4dor'", [], undefined],
  ['{"stack":"tr0ub4dor"}', [], undefined],
])("hears of a loss in %s %j", (message, rest, loss) => {
  const heard = heardLoss(message, rest);
  if (loss === undefined) expect(heard).toBeUndefined();
  else expect(heard).toMatchObject(loss);
  expect(JSON.stringify(heard) ?? "").not.toContain(SECRET);
});
