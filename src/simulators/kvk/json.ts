import { isJsonObject, type JsonObject } from "../../lib/values.ts";

/** Where links of a body belong: they are written when it is sent, in one of the two forms that KVK has used. */
const LINKS = "$links";
export type LinkForm = "object" | "array";

/** A part of an object that links to these paths of the API. */
export function linksTo(paths: Readonly<Record<string, string>>): JsonObject {
  return { [LINKS]: paths };
}

export interface WriteTerms {
  readonly baseUrl: string;
  readonly linkForm: LinkForm;
  readonly geoData: boolean;
}

/** The body as KVK would send it: with links in a form, and with the geographic data of addresses when it was asked for. */
export function written(value: unknown, terms: WriteTerms): unknown {
  if (Array.isArray(value)) return value.map((item) => written(item, terms));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]): [string, unknown][] => {
      if (key === LINKS) return [linksIn(inner, terms)];
      if (key === "adressen" && terms.geoData && Array.isArray(inner)) {
        return [[key, inner.map((adres: unknown) => ({ ...objectOf(adres), geoData: GEO_DATA }))]];
      }
      return [[key, written(inner, terms)]];
    }),
  );
}

function linksIn(paths: unknown, { baseUrl, linkForm }: WriteTerms): [string, unknown] {
  const links = Object.entries(objectOf(paths)).map(([rel, path]) => ({ rel, href: `${baseUrl}${path}` }));
  if (linkForm === "array") return ["links", links];
  return ["_links", Object.fromEntries(links.map(({ rel, href }) => [rel, { href }]))];
}

/** An object that is known to be one. */
export function objectOf(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** The objects of an array. */
export function objectsOf(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.map(objectOf) : [];
}

/** A place in the North Sea. */
const GEO_DATA = {
  addresseerbaarObjectId: "9999010000000001",
  nummerAanduidingId: "9999200000000001",
  gpsLatitude: 53.5,
  gpsLongitude: 4.25,
  rijksdriehoekX: 90000.5,
  rijksdriehoekY: 590000.25,
  rijksdriehoekZ: 0,
};
