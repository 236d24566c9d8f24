/** Tables to download, in the words and formats of a language. */
import type { AccountEvents } from "../../../../src/contract/eventResources.ts";
import type { Monitor } from "../../../../src/contract/monitors.ts";
import { listCell } from "../../../../src/lib/spreadsheet.ts";
import type { Language } from "../../language/bilingual.ts";
import { csvDates } from "../../language/csv.ts";
import { sourceName } from "../../language/sources.ts";
import { changedFields, changeTexts, nameOfEvent } from "./changeTexts.ts";
import { texts } from "./texts.ts";

type Rows = readonly (readonly string[])[];

/** A row for each changed field. */
export function rowsOfEvents({ events, names }: AccountEvents, language: Language): Rows {
  const { csvOfEvents, firstLook } = texts[language];
  const { moment, day } = csvDates(language);
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
  const { day } = csvDates(language);
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
