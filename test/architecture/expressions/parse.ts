/** Parses a regular expression as far as hostile input needs it: sets of letters, groups, repetitions. */

export type Part =
  | { readonly kind: "set"; readonly letters: readonly string[] }
  | { readonly kind: "group"; readonly alternatives: readonly (readonly Part[])[]; readonly isLook: boolean }
  | { readonly kind: "repeat"; readonly part: Part; readonly min: number; readonly max: number }
  /** Anchors and references to groups. */
  | { readonly kind: "empty" };

/** Letters that differ in some expression, without those of the expression itself. */
const ALPHABET = [
  ..."ax0-.,/@ :;&'\"()[]{}<>|+*#=?!%_\\^$~`",
  ..."\t\n\r\u0001\u00a0\u2013éßœ",
  ..."bcdefghijklmnopqrstuvwyzABCEHKNPTVZ123456789",
];

const OPENING = /\(\?(?::|<?[=!]|<\w+>|[ims]*(?:-[ims]*)?:)|\(/y;
const CLASS = /\[(?:[^\]\\]|\\.)*\]/sy;
const ESCAPE =
  /\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|c[A-Za-z]|k<\w+>|[1-9][0-9]*|.)/suy;
const QUANTIFIER = /(?:([*+?])|\{([0-9]+)(,([0-9]*))?\})\??/y;
const EMPTY = /^(?:\\[bB]|\\k<.*|\\[1-9].*|[$^])$/;

/** @throws {Error} for text that is not an expression of these flags */
export function parse({ source, flags }: RegExp): readonly (readonly Part[])[] {
  const setFlags = flags.replaceAll(/[gy]/g, "");
  const own = new Set([...ALPHABET, ...source]);
  const known = new Map<string, Part>();
  let at = 0;

  const take = (form: RegExp): RegExpExecArray | null => {
    form.lastIndex = at;
    const found = form.exec(source);
    if (found !== null) at = form.lastIndex;
    return found;
  };

  function setOf(atom: string): Part {
    if (EMPTY.test(atom)) return { kind: "empty" };
    let part = known.get(atom);
    if (part === undefined) {
      const form = new RegExp(`^${atom}$`, setFlags);
      // A letter that the alphabet lacks, such as an escaped one.
      const escaped = /^\\u\{?([0-9a-f]+)\}?$/i.exec(atom)?.[1];
      const more = escaped === undefined ? [] : [String.fromCodePoint(Number.parseInt(escaped, 16))];
      part = { kind: "set", letters: [...own, ...more].filter((letter) => form.test(letter)) };
      known.set(atom, part);
    }
    return part;
  }

  function atom(): Part {
    const [opening] = take(OPENING) ?? [];
    if (opening !== undefined) {
      const inner = alternatives();
      at += 1;
      return { kind: "group", alternatives: inner, isLook: /[=!]$/.test(opening) };
    }
    const text = (take(CLASS) ?? take(ESCAPE))?.[0] ?? String.fromCodePoint(source.codePointAt(at) ?? 0);
    if (!/^[[\\]./s.test(text)) at += text.length;
    return setOf(text);
  }

  function alternatives(): readonly (readonly Part[])[] {
    const all: Part[][] = [[]];
    while (at < source.length && source[at] !== ")") {
      if (source[at] === "|") {
        at += 1;
        all.push([]);
        continue;
      }
      const part = atom();
      const [whole, sign, least, range, most] = take(QUANTIFIER) ?? [];
      const min = sign === undefined ? Number(least) : Number(sign === "+");
      const limit = range === undefined ? min : Number(most || Number.POSITIVE_INFINITY);
      const max = sign === undefined ? limit : sign === "?" ? 1 : Number.POSITIVE_INFINITY;
      all.at(-1)?.push(whole === undefined ? part : { kind: "repeat", part, min, max });
    }
    return all;
  }

  const parsed = alternatives();
  if (at !== source.length) throw new Error(`/${source}/${flags} cannot be parsed at ${at}`);
  return parsed;
}
