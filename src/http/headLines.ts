/** Names in lower case, and what this program says of them: no value comes from a caller. */
export type OwnHeaders = Readonly<Record<string, string | number>>;

/** Headers as the lines of a head, `name: value`, each ended by CR LF: joining them as text costs less than any object of them. */
export type HeadLines = string;

export function linesOf(headers: OwnHeaders): HeadLines {
  let lines = "";
  for (const name in headers) lines += `${name}: ${headers[name]}\r\n`;
  return lines;
}

export function headersIn(lines: HeadLines): OwnHeaders {
  const headers: Record<string, string> = {};
  for (const line of lines.split("\r\n")) {
    const end = line.indexOf(": ");
    if (end > 0) headers[line.slice(0, end)] = line.slice(end + 2);
  }
  return headers;
}
