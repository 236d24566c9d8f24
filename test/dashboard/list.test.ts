/** How a list of numbers is read, and how its result is written, without a browser. */
import { describe, expect, it } from "vitest";
import { readNumbers } from "../../dashboard/src/pages/try/list/readNumbers.ts";
import { resultCsv } from "../../dashboard/src/pages/try/list/resultCsv.ts";

const numbersIn = (text: string) => readNumbers(text).numbers;

describe("a list of numbers", () => {
  it.each([
    ["one a line", "50000001\n50000002\n"],
    ["between commas and spaces", "50000001, 50000002"],
    ["in one line of cells", "50000001;50000002"],
    ["with a head", "kvkNumber\r\n50000001\r\n50000002"],
    ["in the column that is called so", "naam,KVK-nummer,jaar\nA,50000001,20200101\nB,50000002,20210101\n"],
    ["in the column that looks so", "Bakkerij;50000001;Utrecht\nVeer;50000002;Zwolle"],
    ["in quoted cells", '"naam","kvk"\n"Korst, de","50000001"\n"Veer ""het""","50000002"'],
    ["twice", "50000001\n50000002\n50000001"],
    ["between tabs, as a spreadsheet copies them", "naam\tkvk\nA\t50000001\nB\t50000002"],
  ])("is read: %s", (_how, text) => {
    expect(numbersIn(text)).toEqual(["50000001", "50000002"]);
  });

  it("gets back the leading zeros that a spreadsheet took, and says of how many", () => {
    expect(readNumbers("1234567\n50000001\n1234567")).toEqual({
      numbers: ["01234567", "50000001"],
      padded: 1,
    });
  });

  it("keeps what is no number for the service to refuse by name, and nothing of words", () => {
    expect(numbersIn("123\n500000011\nmijn lijst\n")).toEqual(["123", "500000011"]);
    expect(numbersIn("")).toEqual([]);
  });
});

describe("the result as a table", () => {
  const company = (name: string) => ({
    kvkNumber: "50000001",
    name,
    isActive: true,
    address: { city: "Sagendam" },
  });

  it("has a line for each number, in the order in which it was asked", () => {
    const csv = resultCsv(["123", "50000001"], {
      results: [company("Veer")],
      failed: [{ kvkNumber: "123", error: { code: "INVALID_KVK_NUMBER", message: "" } }],
    });
    const [, first, second] = csv.split("\r\n");
    expect(first).toMatch(/^123,.*,INVALID_KVK_NUMBER$/);
    expect(second).toMatch(/^50000001,Veer,true,/);
  });

  it("runs no name as a formula, and keeps quotes and commas within a cell", () => {
    const cellOf = (name: string) =>
      /^50000001,(.*),true,/m.exec(resultCsv(["50000001"], { results: [company(name)], failed: [] }))?.[1];
    expect(cellOf('=HYPERLINK("x")')).toBe(`"'=HYPERLINK(""x"")"`);
    expect(cellOf("+31 Bellen")).toBe(`"'+31 Bellen"`);
    expect(cellOf("Korst, de")).toBe('"Korst, de"');
  });
});
