import { openFolder } from "./folderSource.ts";
import { openHttp } from "./httpSource.ts";
import { PATIENCE, type Patience, type PublishedSource } from "./source.ts";

/** @param url a folder: `https://…`, `http://…` or `file:///…` */
export function openSource(url: string, patience: Patience = PATIENCE): PublishedSource {
  return url.startsWith("file:") ? openFolder(url) : openHttp(url, patience);
}
