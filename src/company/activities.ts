/** The SBI version of activities: stated by the source, or else by the code lists and the date of the data. */
import type { SbiVersion } from "../contract/activities.ts";
import type { Activity } from "../contract/resources.ts";
import { known } from "../lib/values.ts";
import { sbiText, versionByLists } from "./sbi.ts";

/** Where activities come from, and the date of the data. */
export interface ActivitySource {
  readonly origin: string;
  readonly asOfMs: number;
}

/** All codes of KVK changed in this weekend, at an hour that is not known. */
const CHANGE_BEGAN_MS = Date.UTC(2025, 8, 5);
const CHANGE_ENDED_MS = Date.UTC(2025, 8, 8);

/** Nobody had SBI 2025 before the change. After it, KVK has nothing else, but others may import older files. */
function versionByDate({ origin, asOfMs }: ActivitySource): SbiVersion | undefined {
  if (asOfMs < CHANGE_BEGAN_MS) return "2008";
  return asOfMs >= CHANGE_ENDED_MS && origin.startsWith("kvk-") ? "2025" : undefined;
}

/**
 * The version of an activity that does not state it, or undefined when both may be meant.
 * @param source undefined if unknown, or if the activities of several sources were merged
 */
export function versionOf(
  { sbiCode, description }: Pick<Activity, "sbiCode" | "description">,
  source?: ActivitySource,
): SbiVersion | undefined {
  return versionByLists(sbiCode, description) ?? (source && versionByDate(source));
}

/** Facts whose activities have their version where it is known; the same object if there is nothing to add. */
export function withVersions<Facts extends { readonly activities?: readonly Activity[] | undefined }>(
  facts: Facts,
  source?: ActivitySource,
): Facts {
  const { activities } = facts;
  if (activities === undefined || activities.every(({ sbiVersion }) => sbiVersion !== undefined))
    return facts;
  return {
    ...facts,
    activities: activities.map((one) => ({
      ...one,
      ...(one.sbiVersion === undefined && known("sbiVersion", versionOf(one, source))),
    })),
  };
}

/** An activity as it is shown: with the description of its version. */
export function describedActivity({ sbiCode, sbiVersion, description, isMain }: Activity): Activity {
  return {
    sbiCode,
    ...known("sbiVersion", sbiVersion),
    ...known("description", description ?? (sbiVersion && sbiText(sbiCode, sbiVersion))),
    isMain,
  };
}

/** Whether two lists of activities are of different versions, so that their codes cannot be compared. */
export function areOfOtherVersions(one: readonly Activity[], other: readonly Activity[]): boolean {
  const [versions, others] = [versionsIn(one), versionsIn(other)];
  return versions !== "" && others !== "" && versions !== others;
}

function versionsIn(activities: readonly Activity[]): string {
  return [...new Set(activities.map(({ sbiVersion }) => sbiVersion ?? ""))].sort().join("");
}
