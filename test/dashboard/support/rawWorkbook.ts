/** Workbooks of given XML, for what the library does not write. */
import { zipOf } from "../../kit/zip.ts";

const TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml";
const MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const OF_DOCUMENT = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const OF_PACKAGE = "http://schemas.openxmlformats.org/package/2006";

interface RawSheet {
  readonly state?: "hidden" | "veryHidden";
  readonly rows: string;
}

interface RawOptions {
  /** The texts that cells share. */
  readonly shared?: string;
  /** The prefix of the namespace in sheets, with its colon. */
  readonly prefix?: string;
  /** Codes of number formats; the styles of cells 1, 2, … */
  readonly formats?: readonly string[];
  /** Other parts by their path. */
  readonly parts?: Readonly<Record<string, string>>;
}

/** A workbook of sheets with the given rows. */
export function rawWorkbook(
  sheets: readonly (string | RawSheet)[],
  { shared = "", prefix = "", formats = [], parts = {} }: RawOptions = {},
): Buffer {
  const numbered = sheets.map((sheet, index) => ({
    nth: index + 1,
    ...(typeof sheet === "string" ? { rows: sheet, state: "visible" } : { state: "visible", ...sheet }),
  }));
  const relations = numbered.map(
    ({ nth }) =>
      `<Relationship Id="r${nth}" Type="${OF_DOCUMENT}/worksheet" Target="worksheets/sheet${nth}.xml"/>`,
  );
  const codes = formats.map((code, index) => `<numFmt numFmtId="${164 + index}" formatCode="${code}"/>`);
  const styles = formats.map((_code, index) => `<xf numFmtId="${164 + index}"/>`);
  return zipOf({
    ...parts,
    "[Content_Types].xml": `<Types xmlns="${OF_PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/></Types>`,
    "_rels/.rels": `<Relationships xmlns="${OF_PACKAGE}/relationships"><Relationship Id="r1" Type="${OF_DOCUMENT}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    "xl/workbook.xml": `<workbook xmlns="${MAIN}" xmlns:r="${OF_DOCUMENT}"><sheets>${numbered.map(({ nth, state }) => `<sheet name="S${nth}" sheetId="${nth}" state="${state}" r:id="r${nth}"/>`).join("")}</sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": `<Relationships xmlns="${OF_PACKAGE}/relationships">${relations.join("")}<Relationship Id="rs" Type="${OF_DOCUMENT}/sharedStrings" Target="sharedStrings.xml"/><Relationship Id="rf" Type="${OF_DOCUMENT}/styles" Target="styles.xml"/></Relationships>`,
    "xl/styles.xml": `<styleSheet xmlns="${MAIN}"><numFmts>${codes.join("")}</numFmts><cellXfs><xf/>${styles.join("")}</cellXfs></styleSheet>`,
    ...Object.fromEntries(
      numbered.map(({ rows, nth }) => [
        `xl/worksheets/sheet${nth}.xml`,
        `<${prefix}worksheet xmlns${prefix === "" ? "" : ":x"}="${MAIN}"><${prefix}sheetData>${rows}</${prefix}sheetData></${prefix}worksheet>`,
      ]),
    ),
    "xl/sharedStrings.xml": `<sst xmlns="${MAIN}">${shared}</sst>`,
  });
}

/** A cell with a text. */
export const textCell = (address: string, text: string) =>
  `<c r="${address}" t="inlineStr"><is><t>${text}</t></is></c>`;
