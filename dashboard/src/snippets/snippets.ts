/** The languages of examples, in the order in which they are offered. */
export const SNIPPET_LANGUAGES = ["curl", "javascript", "python", "php", "csharp"] as const;
export type SnippetLanguage = (typeof SNIPPET_LANGUAGES)[number];

/** A call to be written down. */
export interface Request {
  readonly method: "GET" | "POST";
  /** The whole address, with query. */
  readonly url: string;
  readonly needsKey: boolean;
  /** Written into the program; left out, it is taken from the environment. */
  readonly key?: string;
  /** JSON, as text, unless the type says otherwise. */
  readonly body: string | undefined;
  readonly bodyType?: string;
  /** JSON unless it says otherwise. */
  readonly answerType?: string;
}

const JSON_TYPE = "application/json";

/** A call as a program in a language, which prints the answer. */
export function snippetOf(language: SnippetLanguage, request: Request): string {
  return WRITERS[language](request);
}

const WRITERS: Readonly<Record<SnippetLanguage, (request: Request) => string>> = {
  curl: ({ method, url, needsKey, key, body, bodyType }) =>
    [
      "curl",
      ...(method === "POST" && body === undefined ? ["-X POST"] : []),
      ...(needsKey ? [`-H "Authorization: Bearer ${key ?? "$OPZOEK_KEY"}"`] : []),
      ...(body === undefined
        ? []
        : [`-H "Content-Type: ${bodyType ?? JSON_TYPE}"`, `-d ${shellQuoted(compact(body))}`]),
      shellQuoted(url),
    ].join(" \\\n  "),

  javascript({ method, url, needsKey, key, body, bodyType = JSON_TYPE, answerType = JSON_TYPE }) {
    const headers = [
      ...(needsKey ? [`Authorization: ${bearer(key, "+ process.env.OPZOEK_KEY")}`] : []),
      ...(body === undefined ? [] : [`"Content-Type": ${quoted(bodyType)}`]),
    ];
    const isObject = body !== undefined && bodyType === JSON_TYPE && isJson(body);
    const options = [
      ...(method === "GET" ? [] : [`method: "${method}"`]),
      ...(headers.length === 0 ? [] : [`headers: { ${headers.join(", ")} }`]),
      ...(body === undefined
        ? []
        : [`body: ${isObject ? `JSON.stringify(${compact(body)})` : quoted(body)}`]),
    ];
    const second = options.length === 0 ? "" : `, {\n${options.map((option) => `  ${option},\n`).join("")}}`;
    return `const response = await fetch(${quoted(url)}${second});\nconsole.log(response.status, await response.${answerType === JSON_TYPE ? "json" : "text"}());`;
  },

  python({ method, url, needsKey, key, body, bodyType = JSON_TYPE, answerType = JSON_TYPE }) {
    const headers = [
      ...(needsKey ? [`"Authorization": ${bearer(key, '+ os.environ["OPZOEK_KEY"]')}`] : []),
      ...(body === undefined ? [] : [`"Content-Type": ${quoted(bodyType)}`]),
    ];
    const isJsonAnswered = answerType === JSON_TYPE;
    const modules = [
      ...(isJsonAnswered ? ["json"] : []),
      ...(needsKey && key === undefined ? ["os"] : []),
      "urllib.request",
    ];
    return [
      `import ${modules.join(", ")}`,
      "",
      "request = urllib.request.Request(",
      `    ${quoted(url)},`,
      ...(method === "GET" ? [] : [`    method="${method}",`]),
      ...(headers.length === 0 ? [] : [`    headers={${headers.join(", ")}},`]),
      ...(body === undefined ? [] : [`    data=${quoted(compact(body))}.encode(),`]),
      ")",
      "with urllib.request.urlopen(request) as response:",
      `    print(response.status, ${isJsonAnswered ? "json.load(response)" : "response.read().decode()"})`,
    ].join("\n");
  },

  php({ method, url, needsKey, key, body, bodyType = JSON_TYPE }) {
    const headers = [
      ...(needsKey
        ? [
            key === undefined
              ? '"Authorization: Bearer " . getenv("OPZOEK_KEY")'
              : phpQuoted(`Authorization: Bearer ${key}`),
          ]
        : []),
      ...(body === undefined ? [] : [`"Content-Type: ${bodyType}"`]),
    ];
    return [
      "<?php",
      '$context = stream_context_create(["http" => [',
      ...(method === "GET" ? [] : [`    "method" => "${method}",`]),
      ...(headers.length === 0 ? [] : [`    "header" => [${headers.join(", ")}],`]),
      ...(body === undefined ? [] : [`    "content" => ${phpQuoted(compact(body))},`]),
      '    "ignore_errors" => true, // an error has an answer to read, too',
      "]]);",
      `echo file_get_contents(${phpQuoted(url)}, false, $context), PHP_EOL;`,
    ].join("\n");
  },

  csharp({ method, url, needsKey, key, body, bodyType = JSON_TYPE }) {
    const content = body === undefined ? (method === "POST" ? ", null" : "") : ", content";
    return [
      "using System.Net.Http.Headers;",
      ...(body === undefined ? [] : ["using System.Text;"]),
      "",
      "using var http = new HttpClient();",
      ...(needsKey
        ? [
            "http.DefaultRequestHeaders.Authorization = new AuthenticationHeaderValue(",
            `    "Bearer", ${key === undefined ? 'Environment.GetEnvironmentVariable("OPZOEK_KEY")' : quoted(key)});`,
          ]
        : []),
      ...(body === undefined
        ? []
        : [`var content = new StringContent(${quoted(compact(body))}, Encoding.UTF8, ${quoted(bodyType)});`]),
      `using var response = await http.${method === "GET" ? "Get" : "Post"}Async(${quoted(url)}${content});`,
      "Console.WriteLine((int)response.StatusCode);",
      "Console.WriteLine(await response.Content.ReadAsStringAsync());",
    ].join("\n");
  },
};

/** The header's value where texts are joined by `+`. */
function bearer(key: string | undefined, fromEnvironment: string): string {
  return key === undefined ? `"Bearer " ${fromEnvironment}` : quoted(`Bearer ${key}`);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** On one line; a body that is no JSON stays as it was typed. */
function compact(body: string): string {
  return isJson(body) ? JSON.stringify(JSON.parse(body)) : body;
}

/** A text as JavaScript, Python and C# write it: what JSON escapes, these read. */
function quoted(text: string): string {
  return JSON.stringify(text);
}

/** For a shell: nothing within these quotes means anything but the quote itself. */
function shellQuoted(text: string): string {
  return /^[A-Za-z0-9_.:/-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

function phpQuoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
