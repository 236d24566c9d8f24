/** The codes of SBI 2008 and SBI 2025, the Dutch classifications of business activities. */
import { readFileSync } from "node:fs";
import { SBI_VERSIONS, type SbiVersion } from "../contract/activities.ts";

/** A code with its texts. A version that does not have the code has no text. */
export interface SbiEntry {
  readonly sbiCode: string;
  /** In Dutch, by version. */
  readonly texts: { readonly [V in SbiVersion]: string | undefined };
  /** In English; only SBI 2025 has it. */
  readonly english: string | undefined;
}

const FILE = new URL("./sbi.txt", import.meta.url);

let codes: ReadonlyMap<string, SbiEntry> | undefined;

/** All codes but the letters of the sections, ascending. Reads the file on first use, which takes 5 ms. */
export function sbiCodes(): ReadonlyMap<string, SbiEntry> {
  codes ??= new Map(
    readFileSync(FILE, "utf8")
      .split("\n")
      .filter((line) => /^[0-9]/.test(line))
      .map((line) => {
        const [sbiCode = "", text2008 = "", text2025 = "", english = ""] = line.split("\t");
        const texts = {
          "2008": text2008 || undefined,
          "2025": (text2025 === "=" ? text2008 : text2025) || undefined,
        };
        return [sbiCode, { sbiCode, texts, english: english || undefined }];
      }),
  );
  return codes;
}

const BEYOND_ASCII = /[\u0080-\uffff]/;

/** A text without case, accents and punctuation, to compare descriptions by. */
function keyOf(text: string): string {
  const plain = BEYOND_ASCII.test(text) ? text.normalize("NFD") : text;
  return plain.toLowerCase().replace(/[^a-z0-9]+/g, "");
}

/** The only version in which any code has a description, by its {@link keyOf}; undefined if both do. */
let described: ReadonlyMap<string, SbiVersion | undefined> | undefined;

function versionDescribing(wantedKey: string): SbiVersion | undefined {
  if (described === undefined) {
    const found = new Map<string, SbiVersion | undefined>();
    const add = (text: string | undefined, version: SbiVersion) => {
      if (text === undefined) return;
      const key = keyOf(text);
      found.set(key, found.has(key) && found.get(key) !== version ? undefined : version);
    };
    for (const { texts, english } of sbiCodes().values()) {
      for (const version of SBI_VERSIONS) add(texts[version], version);
      add(english, "2025");
    }
    described = found;
  }
  return described.get(wantedKey);
}

/** The versions that have a code. */
function versionsOf(sbiCode: string): readonly SbiVersion[] {
  const texts = sbiCodes().get(sbiCode)?.texts;
  // SBI 2008 has divisions of two digits too, which the list lacks.
  return texts === undefined || sbiCode.length < 3 ? [] : SBI_VERSIONS.filter((version) => texts[version]);
}

/** The entry of a code as written in tables: it may have lost its first zero, or have six digits. */
function entryOf(sbiCode: string): SbiEntry | undefined {
  const forms = [sbiCode, sbiCode.length < 5 ? `0${sbiCode}` : sbiCode.replace(/0$/, "")];
  return forms.map((form) => sbiCodes().get(form)).find((entry) => entry !== undefined);
}

/**
 * The only version of which an activity can be, by its code or else its description; undefined when both or neither
 * fit.
 */
export function versionByLists(sbiCode: string, description: string | undefined): SbiVersion | undefined {
  const entry = entryOf(sbiCode);
  const byCode = entry === undefined ? [] : versionsOf(entry.sbiCode);
  if (byCode.length === 1) return byCode[0];
  const key = keyOf(description ?? "");
  const own = byCode.filter((version) => key === keyOf(entry?.texts[version] ?? ""));
  const byText = own.length === 1 ? own[0] : own.length === 0 ? versionDescribing(key) : undefined;
  if (byText !== undefined) return byText;
  // In SBI 2025 four digits are a group, and companies have five.
  return entry?.sbiCode.length === 4 ? "2008" : undefined;
}

/** The Dutch description of a code in a version. */
export function sbiText(sbiCode: string, version: SbiVersion): string | undefined {
  return entryOf(sbiCode)?.texts[version];
}
