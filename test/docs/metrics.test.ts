import { expect, it } from "vitest";
import { METRICS } from "../../build/metrics.ts";

it("every metric follows Prometheus' naming rules: our prefix, base units, `_total` for counters", () => {
  const wrong = METRICS.filter(({ name, type }) => {
    const isCounter = type === "counter";
    const unit = /_(?:milliseconds|ms|minutes|hours|kilobytes|megabytes|percent|ratio_percent)(?:_total)?$/;
    return !/^opzoek_[a-z0-9_]+$/.test(name) || name.endsWith("_total") !== isCounter || unit.test(name);
  });
  expect(wrong).toEqual([]);
});
