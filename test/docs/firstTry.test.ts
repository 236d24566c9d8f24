/** The first values of Try it on the docs page are ones that the reader's key knows. */
import { beforeAll, describe, expect, it } from "vitest";
import { firstValues, forKey, pathOf } from "../../dashboard/src/docs/document/examples.ts";
import { type ApiDocument, operationsOf } from "../../dashboard/src/docs/document/openapi.ts";
import { demoKey, demoTestKey } from "../../src/demo/accounts.ts";
import { textOf } from "../architecture/repository.ts";
import { ask } from "../kit/client.ts";
import { startDemo } from "../kit/demo.ts";
import type { Service } from "../kit/service.ts";

const document = JSON.parse(textOf("openapi.json")) as ApiDocument;
const operations = operationsOf(document);
const needsId = (path: string) => /Id\}/.test(path);

let demo: Service;
beforeAll(async () => {
  demo = await startDemo();
});

describe.each([
  ["a live key of the demo", demoKey("pro"), false],
  ["a test key", demoTestKey(), true],
])("with %s", (_name, key, isTest) => {
  it.each(
    operations.filter(({ path }) => !needsId(path)).map((one) => [`${one.method} ${one.path}`, one] as const),
  )("%s succeeds", async (_name, operation) => {
    const values = forKey(firstValues(document, operation), isTest);
    const { method, bodyType } = operation;
    const answer = await ask(demo, {
      method,
      path: pathOf(operation, values),
      key,
      ...(values.body !== undefined && { body: values.body, headers: { "content-type": bodyType } }),
    });
    // A test key changes no settings that live keys use.
    if (isTest && operation.id === "patch-v1-monitor-settings") {
      expect([answer.status, answer.text]).toEqual([403, expect.stringContaining("FORBIDDEN")]);
      return;
    }
    expect([answer.status, answer.text]).toEqual([operation.id === "post-v1-jobs" ? 202 : 200, answer.text]);
    expect(answer.text).not.toMatch(/NOT_FOUND|"results":\[\]|"decision":"none"/);
  });
});

it("leaves the ids of a reader's own lists, monitors and events empty, and shows an example of them in code", () => {
  const own = operations.filter(({ path }) => needsId(path));
  expect(own.length).toBeGreaterThan(5);
  for (const operation of own) {
    const values = firstValues(document, operation);
    expect(Object.values(values.path)).toEqual([""]);
    expect(pathOf(operation, values)).toMatch(/_0123456789abcdefABCDEF/);
  }
});

it("keeps other values than examples when the kind of key changes", () => {
  const values = {
    path: { kvkNumber: "01234567" },
    query: { q: "molen" },
    body: '{"kvkNumbers":["51234567","01234567"]}',
  };
  const changed = forKey(values, true);
  expect(changed).toEqual({ ...values, body: '{"kvkNumbers":["99990001","01234567"]}' });
  expect(forKey(changed, false)).toEqual(values);
});
