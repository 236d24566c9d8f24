import type { Site } from "../contract/publicResources.ts";
import type { Services } from "./endpoint.ts";

/** Where a built page has room for the facts of the service, within an attribute. */
const PLACE = "{{site}}";
const ESCAPES: Readonly<Record<string, string>> = { "&": "&amp;", '"': "&quot;", "<": "&lt;" };

/** Facts about the service that every page shows, as of now. */
export function siteOf({ lookup }: Services, operator: Site["operator"]): Site {
  const isFictional = lookup.snapshotInfo?.origins.some(({ origin }) => origin === "demo") === true;
  return { isFictional, operator };
}

/**
 * Writes the facts of the service into a page's document. They are part of it so that a page that can fetch nothing, such as over
 * plain HTTP, still says whose service it is and that its companies are fictional.
 */
export function withSite(html: string, site: Site): string {
  return html.replace(PLACE, () => JSON.stringify(site).replace(/[&"<]/g, (sign) => ESCAPES[sign] ?? sign));
}
