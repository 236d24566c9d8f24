/** Tables to download, in the words and formats of a language. */
import type { AccountEvents } from "../../../../src/contract/eventResources.ts";
import type { Monitor } from "../../../../src/contract/monitors.ts";
import { listCell, SPREADSHEET_START, spreadsheetCell } from "../../../../src/lib/spreadsheet.ts";
import type { Language } from "../../language/bilingual.ts";
import { changedFields, changeTexts, nameOfEvent, sourceName } from "./changeTexts.ts";
import { texts } from "./texts.ts";

/** The separator and the form of dates that a spreadsheet of the language reads. */
const FORMS = { en: [",", "en-CA"], nl: [";", "nl-NL"] } as const;
const DAY = { day: "2-digit", month: "2-digit", year: "numeric" } as const;
const MINUTE = { ...DAY, hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;

export type Rows = readonly (readonly string[])[];

export function csvOf(rows: Rows, language: Language): string {
  const lines = rows.map((row) => row.map(spreadsheetCell).join(FORMS[language][0]));
  return `${SPREADSHEET_START}${lines.join("\r\n")}\r\n`;
}

/** A row for each changed field. */
export function rowsOfEvents({ events, names }: AccountEvents, language: Language): Rows {
  const { csvOfEvents, firstLook } = texts[language];
  const [moment, day] = [dateIn(language, MINUTE), dateIn(language, { ...DAY, timeZone: "UTC" })];
  const rows = events.flatMap((event) => {
    const { observedAt, type, kvkNumber = "", source } = event;
    const start = [
      moment(observedAt),
      changeTexts[language].types[type],
      kvkNumber,
      nameOfEvent(event, names),
    ];
    const from = source === undefined ? ["", ""] : [sourceName(source.kvk, language), day(source.cachedAt)];
    const end = [...from, "isFirstObservation" in event ? firstLook : "", event.id];
    const fields = changedFields(event.changes, language, { number: String, day });
    // Some events report no change.
    if (fields.length === 0) return [[...start, "", "", "", ...end]];
    return fields.map(({ field, previous, current }) => [
      ...[...start, field, listCell(previous), listCell(current), ...end],
    ]);
  });
  return [csvOfEvents.split("|"), ...rows];
}

/** A row for each company, with a column for each name in the metadata. */
export function rowsOfMonitors(monitors: readonly Monitor[], language: Language): Rows {
  const { csvOfMonitors, states, allEvents } = texts[language];
  const { types, active, ended } = changeTexts[language];
  const day = dateIn(language, DAY);
  const own = [...new Set(monitors.flatMap(({ metadata = {} }) => Object.keys(metadata)))];
  const rows = monitors.map(({ kvkNumber, company, status, createdAt, events, watchedBy, ...rest }) => [
    ...[kvkNumber, company?.name ?? "", company?.city ?? ""],
    ...[company === undefined ? "" : company.isActive ? active : ended, states[status], day(createdAt)],
    ...[events === undefined ? allEvents : listCell(events.map((type) => types[type]))],
    ...[listCell(watchedBy.map((source) => sourceName(source, language))), rest.webhook?.url ?? ""],
    ...own.map((name) => rest.metadata?.[name] ?? ""),
  ]);
  return [[...csvOfMonitors.split("|"), ...own], ...rows];
}

function dateIn(language: Language, options: Intl.DateTimeFormatOptions): (text: string) => string {
  const format = new Intl.DateTimeFormat(FORMS[language][1], options);
  // A comma after the date would make it a text.
  return (text) => format.format(new Date(text)).replace(",", "");
}
