import { SAMPLE_KEY } from "@/lib/contract/docs";

/** A request that the samples of all languages make. */
interface DocumentedRequest {
  method: "GET" | "POST";
  url: string;
  /** Whether the request carries an API key. */
  keyed: boolean;
  idempotent: boolean;
  body?: object;
}

/** The variable in samples that holds the key of a stored intention. */
const INTENTION = "intentionId";

type Header = [name: string, value: string];

function headersOf({ keyed, body }: DocumentedRequest): Header[] {
  const headers: Header[] = keyed ? [["x-api-key", SAMPLE_KEY]] : [];
  if (body) headers.push(["Content-Type", "application/json"]);
  return headers;
}

const json = (value: unknown) => JSON.stringify(value);
const indented = (lines: readonly string[], by = "  ") => lines.map((line) => by + line);

function curl(request: DocumentedRequest): string {
  const { url, idempotent, body } = request;
  const headers = headersOf(request).map(([name, value]) => `-H '${name}: ${value}'`);
  if (idempotent) headers.push(`-H "Idempotency-Key: $(uuidgen)"`);
  const data = body ? [`-d '${json(body)}'`] : [];
  return [`curl ${url}`, ...indented([...headers, ...data])].join(" \\\n");
}

function typescript(request: DocumentedRequest): string {
  const { method, url, idempotent, body } = request;
  const headers = headersOf(request).map(([name, value]) => `${json(name)}: ${json(value)},`);
  if (idempotent) headers.push(`"Idempotency-Key": ${INTENTION},`);
  const options = [
    ...(method === "GET" ? [] : [`method: "${method}",`]),
    ...(headers.length > 0 ? ["headers: {", ...indented(headers), "},"] : []),
    ...(body ? [`body: JSON.stringify(${json(body)}),`] : []),
  ];
  const call = options.length > 0 ? [`fetch("${url}", {`, ...indented(options), "});"] : [`fetch("${url}");`];
  return [`const response = await ${call.join("\n")}`, "const answer = await response.json();"].join("\n");
}

function swift(request: DocumentedRequest): string {
  const { method, url, idempotent, body } = request;
  const headers = headersOf(request).map(
    ([name, value]) => `request.setValue(${json(value)}, forHTTPHeaderField: ${json(name)})`,
  );
  if (idempotent) headers.push(`request.setValue(${INTENTION}, forHTTPHeaderField: "Idempotency-Key")`);
  return [
    "import Foundation",
    "",
    `var request = URLRequest(url: URL(string: "${url}")!)`,
    ...(method === "GET" ? [] : [`request.httpMethod = "${method}"`]),
    ...headers,
    ...(body ? [`request.httpBody = Data(#"${json(body)}"#.utf8)`] : []),
    "let (data, response) = try await URLSession.shared.data(for: request)",
  ].join("\n");
}

function kotlin(request: DocumentedRequest): string {
  const { url, idempotent, body } = request;
  const headers = headersOf(request).map(
    ([name, value]) => `connection.setRequestProperty(${json(name)}, ${json(value)})`,
  );
  if (idempotent) headers.push(`connection.setRequestProperty("Idempotency-Key", ${INTENTION})`);
  const send = body
    ? [
        "connection.doOutput = true",
        `connection.outputStream.use { it.write("""${json(body)}""".toByteArray()) }`,
      ]
    : [];
  return [
    "import java.net.HttpURLConnection",
    "import java.net.URL",
    "",
    `val connection = URL("${url}").openConnection() as HttpURLConnection`,
    ...headers,
    ...send,
    "val ok = connection.responseCode < 400",
    "val answer = (if (ok) connection.inputStream else connection.errorStream).bufferedReader().readText()",
  ].join("\n");
}

function dart(request: DocumentedRequest): string {
  const { method, url, idempotent, body } = request;
  const headers = headersOf(request).map(([name, value]) => `'${name}': '${value}',`);
  if (idempotent) headers.push(`'Idempotency-Key': ${INTENTION},`);
  const options = [
    `Uri.parse('${url}'),`,
    ...(headers.length > 0 ? ["headers: {", ...indented(headers), "},"] : []),
    ...(body ? [`body: jsonEncode(${json(body)}),`] : []),
  ];
  return [
    "import 'dart:convert';",
    "import 'package:http/http.dart' as http;",
    "",
    `final response = await http.${method.toLowerCase()}(`,
    ...indented(options),
    ");",
    "final answer = jsonDecode(response.body);",
  ].join("\n");
}

/** A JSON object as an anonymous object in C#. */
function csharpValue(value: unknown): string {
  if (typeof value !== "object" || value === null) return json(value);
  const fields = Object.entries(value).map(([name, inner]) => `${name} = ${csharpValue(inner)}`);
  return `new { ${fields.join(", ")} }`;
}

function csharp(request: DocumentedRequest): string {
  const { method, url, idempotent, body } = request;
  const verb = method === "GET" ? "Get" : "Post";
  const headers = headersOf(request)
    // The content object sets its own type.
    .filter(([name]) => name !== "Content-Type")
    .map(([name, value]) => `request.Headers.Add(${json(name)}, ${json(value)});`);
  if (idempotent) headers.push(`request.Headers.Add("Idempotency-Key", ${INTENTION});`);
  return [
    "using System.Net.Http;",
    ...(body ? ["using System.Net.Http.Json;"] : []),
    "",
    "using var client = new HttpClient();",
    `using var request = new HttpRequestMessage(HttpMethod.${verb}, "${url}");`,
    ...headers,
    ...(body ? [`request.Content = JsonContent.Create(${csharpValue(body)});`] : []),
    "using var response = await client.SendAsync(request);",
    "var answer = await response.Content.ReadAsStringAsync();",
  ].join("\n");
}

const LANGUAGES: readonly [language: string, write: (request: DocumentedRequest) => string][] = [
  ["sh", curl],
  ["ts", typescript],
  ["swift", swift],
  ["kotlin", kotlin],
  ["dart", dart],
  ["csharp", csharp],
];

/** The same request in six languages, as blocks of code that the page shows as tabs. */
export function writeSamples(request: DocumentedRequest): string {
  return LANGUAGES.map(([language, write]) => `\`\`\`${language} sample\n${write(request)}\n\`\`\``).join(
    "\n\n",
  );
}
