/** The programming languages of examples, in display order. */
export const SNIPPET_LANGUAGES = ["curl", "javascript", "python", "php", "csharp"] as const;
export type SnippetLanguage = (typeof SNIPPET_LANGUAGES)[number];

/** A call to write as code. */
export interface Request {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  readonly url: string;
  readonly needsKey: boolean;
  /** Written into the code; read from the environment by default. */
  readonly key?: string;
  /** JSON, or text of `bodyType`. */
  readonly body: string | undefined;
  readonly bodyType?: string;
  /** The media type of the response; JSON by default. */
  readonly answerType?: string;
}

const JSON_TYPE = "application/json";

/** Returns a program that makes a call and prints the response. */
export function snippetOf(language: SnippetLanguage, request: Request): string {
  const { body, bodyType = JSON_TYPE, answerType = JSON_TYPE } = request;
  const json = body === undefined || bodyType !== JSON_TYPE ? undefined : compacted(body);
  return WRITERS[language]({
    ...request,
    bodyType,
    body: json ?? body,
    isObject: json !== undefined,
    answersJson: answerType === JSON_TYPE,
  });
}

interface Call extends Request {
  readonly bodyType: string;
  readonly isObject: boolean;
  readonly answersJson: boolean;
}

const WRITERS: Readonly<Record<SnippetLanguage, (call: Call) => string>> = {
  curl: ({ method, url, needsKey, key, body, bodyType }) =>
    present([
      "curl",
      method !== "GET" && (method !== "POST" || body === undefined) && `-X ${method}`,
      needsKey && `-H "Authorization: Bearer ${key ?? "$OPZOEK_KEY"}"`,
      body !== undefined && `-H "Content-Type: ${bodyType}"`,
      body !== undefined && `-d ${shellQuoted(body)}`,
      shellQuoted(url),
    ]).join(" \\\n  "),

  javascript(call) {
    const { method, url, body, isObject, answersJson } = call;
    const headers = headersOf(call, "process.env.OPZOEK_KEY");
    const options = present([
      method !== "GET" && `method: "${method}"`,
      headers !== "" && `headers: { ${headers} }`,
      body !== undefined && `body: ${isObject ? `JSON.stringify(${body})` : quoted(body)}`,
    ]);
    const second = options.length === 0 ? "" : `, {\n${options.map((option) => `  ${option},\n`).join("")}}`;
    return `const response = await fetch(${quoted(url)}${second});\nconsole.log(response.status, await response.${answersJson ? "json" : "text"}());`;
  },

  python(call) {
    const { method, url, needsKey, key, body, answersJson } = call;
    const headers = headersOf(call, 'os.environ["OPZOEK_KEY"]');
    const modules = present([answersJson && "json", needsKey && key === undefined && "os"]);
    return present([
      `import ${[...modules, "urllib.error", "urllib.request"].join(", ")}`,
      "",
      "request = urllib.request.Request(",
      `    ${quoted(url)},`,
      method !== "GET" && `    method="${method}",`,
      headers !== "" && `    headers={${headers}},`,
      body !== undefined && `    data=${quoted(body)}.encode(),`,
      ")",
      "try:",
      "    with urllib.request.urlopen(request) as response:",
      `        print(response.status, ${answersJson ? "json.load(response)" : "response.read().decode()"})`,
      "except urllib.error.HTTPError as failed:",
      "    print(failed.status, failed.read().decode())",
    ]).join("\n");
  },

  php({ method, url, needsKey, key, body, bodyType }) {
    const fromEnvironment = '"Authorization: Bearer " . getenv("OPZOEK_KEY")';
    const headers = present([
      needsKey && (key === undefined ? fromEnvironment : phpQuoted(`Authorization: Bearer ${key}`)),
      body !== undefined && `"Content-Type: ${bodyType}"`,
    ]);
    return present([
      "<?php",
      '$context = stream_context_create(["http" => [',
      method !== "GET" && `    "method" => "${method}",`,
      headers.length > 0 && `    "header" => [${headers.join(", ")}],`,
      body !== undefined && `    "content" => ${phpQuoted(body)},`,
      '    "ignore_errors" => true, // an error has an answer to read, too',
      "]]);",
      `echo file_get_contents(${phpQuoted(url)}, false, $context), PHP_EOL;`,
    ]).join("\n");
  },

  csharp({ method, url, needsKey, key, body, bodyType }) {
    const content = body === undefined ? (method === "POST" ? ", null" : "") : ", content";
    return present([
      "using System.Net.Http.Headers;",
      body !== undefined && "using System.Text;",
      "",
      "using var http = new HttpClient();",
      needsKey && "http.DefaultRequestHeaders.Authorization = new AuthenticationHeaderValue(",
      needsKey &&
        `    "Bearer", ${key === undefined ? 'Environment.GetEnvironmentVariable("OPZOEK_KEY")' : quoted(key)});`,
      body !== undefined &&
        `var content = new StringContent(${quoted(body)}, Encoding.UTF8, ${quoted(bodyType)});`,
      `using var response = await http.${method.charAt(0)}${method.slice(1).toLowerCase()}Async(${quoted(url)}${content});`,
      "Console.WriteLine((int)response.StatusCode);",
      "Console.WriteLine(await response.Content.ReadAsStringAsync());",
    ]).join("\n");
  },
};

function present(parts: readonly (string | false)[]): string[] {
  return parts.filter((part) => part !== false);
}

/** Returns the headers in the syntax of JavaScript and Python. */
function headersOf({ needsKey, key, body, bodyType }: Call, environment: string): string {
  return present([
    needsKey &&
      `"Authorization": ${key === undefined ? `"Bearer " + ${environment}` : quoted(`Bearer ${key}`)}`,
    body !== undefined && `"Content-Type": ${quoted(bodyType)}`,
  ]).join(", ");
}

/** Returns JSON on one line; undefined if the text is not JSON. */
function compacted(text: string): string | undefined {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Quotes a text for JavaScript, Python and C#, which all accept JSON's escapes. */
const quoted = (text: string) => JSON.stringify(text);

/** Quotes a text for a shell: only the quote itself is special. */
function shellQuoted(text: string): string {
  return /^[A-Za-z0-9_.:/-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

function phpQuoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
