import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { parseXml, type XmlElement } from "./xml.ts";

const BOMB = `<!DOCTYPE a [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]><a>&b;</a>`;
const MEBI = 1024 * 1024;

async function parsed(text: string): Promise<XmlElement> {
  const root = await parseXml(text);
  if (typeof root === "string") throw new Error(`refused: ${root}`);
  return root;
}

describe("parseXml", () => {
  it("resolves namespaces, whatever the prefixes", async () => {
    const [first, second] = await Promise.all([
      parsed(`<s:a xmlns:s="urn:s" x="1" s:x="2"><b xmlns="urn:b"/><c/></s:a>`),
      parsed(`<a xmlns="urn:s" xmlns:t="urn:s" x="1" t:x="2"><p:b xmlns:p="urn:b"/><c xmlns=""/></a>`),
    ]);
    expect(second).toEqual(first);
    expect(first).toMatchObject({ name: "a", namespace: "urn:s", attributes: new Map([["x", "1"]]) });
    expect(first.children.map(({ name, namespace }) => [name, namespace])).toEqual([
      ["b", "urn:b"],
      ["c", ""],
    ]);
  });

  it("returns text with character references, entities of XML and CDATA", async () => {
    const { text, children } = await parsed(
      `\ufeff<?xml version="1.0" encoding="UTF-8"?><!-- x --><a>R&amp;D &lt;&#233;&#x1F600;<![CDATA[<b>&amp;]]> <b>x</b>y</a>`,
    );
    expect(text).toBe("R&D <é😀<b>&amp; y");
    expect(children).toMatchObject([{ name: "b", text: "x" }]);
  });

  it.each([
    ["", "malformed"],
    ["hello", "malformed"],
    ["<a>", "malformed"],
    ["<a></b>", "malformed"],
    ["<a/><b/>", "malformed"],
    ["<a/>x", "malformed"],
    ["<a x='1' x='2'/>", "malformed"],
    ["<p:a/>", "malformed"],
    ["<a>&nbsp;</a>", "malformed"],
    ["<a>&#0;</a>", "malformed"],
    ["<a>&#xD800;</a>", "malformed"],
    ["<a>\u0000</a>", "malformed"],
    ["<a>\ud800</a>", "malformed"],
    [Buffer.from("<a>caf\xe9</a>", "latin1").toString(), "malformed"],
    [Buffer.from("<a/>", "utf16le").toString(), "malformed"],
    ["<html><body><br></body></html>", "malformed"],
    ["<!DOCTYPE html><html></html>", "dtd"],
    [`<!DOCTYPE a SYSTEM "file:///etc/passwd"><a/>`, "dtd"],
    [`<!DOCTYPE a [<!ENTITY x SYSTEM "http://127.0.0.1/">]><a>&x;</a>`, "dtd"],
    [BOMB, "dtd"],
    [`${"<a>".repeat(65)}${"</a>".repeat(65)}`, "excessive"],
    [`<a ${Array.from({ length: 101 }, (_, index) => `x${index}=""`).join(" ")}/>`, "excessive"],
  ])("refuses %j: %s", async (text, fault) => {
    expect(await parseXml(text)).toBe(fault);
  });

  it("accepts limits for documents that are smaller", async () => {
    const text = "<a><b><c/></b></a>";
    expect(await parseXml(text, { maxDepth: 3, maxElements: 3 })).toHaveProperty("name", "a");
    expect(await parseXml(text, { maxDepth: 2 })).toBe("excessive");
    expect(await parseXml(text, { maxElements: 2 })).toBe("excessive");
  });

  it.each([
    { of: "references", text: `<a>${"<b>01.obr.19.100.F.1308.1.00</b>".repeat(70_000)}</a>` },
    { of: "one text", text: `<a>${"x".repeat(4 * MEBI)}</a>` },
    { of: "one comment", text: `<a><!--${"x".repeat(4 * MEBI)}--></a>` },
    { of: "one name", text: `<${"x".repeat(4 * MEBI)}/>` },
    { of: "one attribute", text: `<a x="${"x".repeat(4 * MEBI)}"/>` },
    { of: "character references", text: `<a>${"&#233;".repeat(MEBI)}</a>` },
  ])("lets other work run while it reads a large document of $of", async ({ text }) => {
    expect(await turnsDuring(parsed(text))).toBeGreaterThan(text.length / (32 * 1024));
  });

  it.each([
    { of: "open elements", text: "<a>".repeat(MEBI), fault: "excessive", maxTurns: 5 },
    { of: "elements", text: `<a>${"<b/>".repeat(MEBI)}</a>`, fault: "excessive", maxTurns: 400 },
    {
      of: "attributes",
      text: `<a ${Array.from({ length: MEBI }, (_, index) => `x${index}=""`).join(" ")}`,
      fault: "excessive",
      maxTurns: 5,
    },
    { of: "entities", text: `${BOMB}${"<!ENTITY x 'y'>".repeat(MEBI)}`, fault: "dtd", maxTurns: 5 },
    {
      of: "declarations",
      text: `<!DOCTYPE a [${"<!ENTITY x 'y'>".repeat(99_999)}`,
      fault: "malformed",
      maxTurns: 400,
    },
  ])("refuses a large document of $of after few steps", async ({ text, fault, maxTurns }) => {
    const root = parseXml(text);
    expect(await turnsDuring(root)).toBeLessThan(maxTurns);
    expect(await root).toBe(fault);
  });
});

/** Turns of the event loop until some work is over. */
async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let isOver = false;
  const over = work.finally(() => {
    isOver = true;
  });
  let turns = 0;
  for (; !isOver; turns++) await nextTurn();
  await over;
  return turns;
}
