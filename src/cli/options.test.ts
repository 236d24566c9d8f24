import { expect, it } from "vitest";
import { UsageError } from "./command.ts";
import { localPathArgument } from "./options.ts";

it.each([
  "s3://bucket/published",
  "gs://bucket",
  "https://companies.example/x",
  "file:///srv/x",
  "S3+x://b",
  "",
])("refuses to write to %j", (text) => {
  expect(() => localPathArgument(text)).toThrow(UsageError);
});

it.each(["published", "./s3:", "/srv/published", "C:\\published", "a:b", "s3:/bucket"])(
  "may write to %j",
  (text) => {
    expect(localPathArgument(text)).toBe(text);
  },
);
