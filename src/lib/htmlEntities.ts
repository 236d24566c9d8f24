/** HTML entities in texts from web pages and programs: `Bloemen &amp; Planten`, `&#39;s-Gravenhage`, `Caf&eacute;`. */
import { decodeHTMLStrict } from "entities/decode";

const ENTITY = /&#?[a-z0-9]{1,32};/gi;
/** A number that is no character. */
const NO_CHARACTER = "\ufffd";

/** Replaces entities by their characters, once; unknown ones stay. A name in capitals is read like `Eacute`. */
export function decodeEntities(text: string): string {
  return text.replace(ENTITY, (entity) => {
    const decoded = decodeHTMLStrict(entity);
    if (decoded === NO_CHARACTER) return entity;
    if (decoded !== entity || entity !== entity.toUpperCase()) return decoded;
    const lower = entity.toLowerCase();
    const decodedLower = decodeHTMLStrict(lower);
    return decodedLower === lower ? entity : decodedLower.toUpperCase();
  });
}
