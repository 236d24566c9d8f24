/** Rules of the settings for following a published registry. */
import { hostOf, isLoopback } from "../../lib/secretUrl.ts";
import { BrokenRule } from "./rules.ts";

/** The address of a published folder, without a trailing slash in its path. Its query may be secret. */
export function publishedFolder(text: string): string {
  const url = URL.parse(text);
  const host = url === null ? "" : hostOf(url);
  const isAllowed =
    url?.protocol === "https:" ||
    (url?.protocol === "http:" && isLoopback(host)) ||
    (url?.protocol === "file:" && host === "" && url.search === "");
  if (url === null || !isAllowed) {
    throw new BrokenRule(
      "must begin with https:// or file:///, or with http:// and an address of this machine",
    );
  }
  if (url.username !== "" || url.password !== "") {
    throw new BrokenRule("must not contain a user or password: put them into REGISTRY_HEADERS");
  }
  if (url.hash !== "" || text.endsWith("#")) throw new BrokenRule("must not contain #");
  url.pathname = url.pathname.replace(/(?<!\/)\/+$/, "");
  return url.href;
}

/** Headers in the form of OTEL_EXPORTER_OTLP_HEADERS: `name=value,name2=value2`, the values URL-encoded. */
export function headerList(text: string): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {};
  for (const part of text.split(",")) {
    const [, name, encoded] = /^\s*([A-Za-z0-9-]+)\s*=(.*)$/.exec(part) ?? [];
    const value = encoded === undefined ? "" : decoded(encoded.trim());
    if (name === undefined || !/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(value)) {
      throw new BrokenRule(
        "must be headers such as authorization=Bearer%20…, separated by commas, with URL-encoded values",
      );
    }
    headers[name.toLowerCase()] = value;
  }
  return headers;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}
