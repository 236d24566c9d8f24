import { expect, it } from "vitest";
import { readSettings, SettingError } from "./settings.ts";

function refusalOf(address: string): string {
  try {
    readSettings({ OTEL_EXPORTER_OTLP_ENDPOINT: address });
  } catch (error) {
    if (error instanceof SettingError) return error.message;
    throw error;
  }
  return "accepted";
}

it.each(["http://127.0.0.1:4318", "http://collector.example:4318/otlp"])(
  "a collector is a plain address, below which spans are sent: %s",
  (address) => {
    const { OTEL_EXPORTER_OTLP_ENDPOINT } = readSettings({ OTEL_EXPORTER_OTLP_ENDPOINT: `${address}/` });
    expect(OTEL_EXPORTER_OTLP_ENDPOINT).toBe(address);
  },
);

it.each([
  "https://collector.example/?token=tr0ub4dor",
  "https://collector.example/?",
  "https://collector.example/#tr0ub4dor",
  "https://collector.example#",
  "https://u:tr0ub4dor@collector.example",
  "https://tr0ub4dor@collector.example",
])("refuses %s as a collector, and names the place for keys", (address) => {
  const message = refusalOf(address);
  expect(message).toMatch(/^OTEL_EXPORTER_OTLP_ENDPOINT must not contain a user, password, \? or #/);
  expect(message).toContain("OTEL_EXPORTER_OTLP_HEADERS");
  expect(message).not.toContain("tr0ub4dor");
});

it("refuses a collector that is not an HTTP address", () => {
  expect(refusalOf("collector:4318")).toContain("http:// or https://");
});
