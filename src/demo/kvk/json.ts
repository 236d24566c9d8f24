import { isJsonObject, type JsonObject } from "../../lib/values.ts";

/** A part of an object with links to paths of the API. */
export function linksTo(paths: Readonly<Record<string, string>>): JsonObject {
  return { _links: Object.fromEntries(Object.entries(paths).map(([rel, href]) => [rel, { href }])) };
}

/** The body with its links as addresses below `baseUrl`. */
export function withBaseUrl(body: JsonObject, baseUrl: string): JsonObject {
  return mapObjects(body, (object) =>
    typeof object["href"] === "string" ? { ...object, href: baseUrl + object["href"] } : object,
  );
}

/** A body as KVK sends it to a call without `geoData=true`. */
export function withoutGeoData(body: JsonObject): JsonObject {
  return mapObjects(body, ({ geoData: _, ...object }) => object);
}

/** Changes every object of a body, the inner ones first. */
export function mapObjects(body: JsonObject, change: (object: JsonObject) => JsonObject): JsonObject {
  const map = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(map);
    return isJsonObject(value) ? mapObjects(value, change) : value;
  };
  return change(Object.fromEntries(Object.entries(body).map(([key, value]) => [key, map(value)])));
}

/** The value as an object; an empty one if it is something else. */
export function objectOf(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** The objects of an array; none if it is something else. */
export function objectsOf(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.map(objectOf) : [];
}
