/** A raw request and the status that refuses it. */
type Probe = [name: string, status: number, bytes: string];

const HOST = "Host: example.test\r\n";
const LONG = "a".repeat(5_000);

/**
 * Requests that the server must refuse, sent to a POST route. `key` is the header line that the route requires before it
 * reads a body.
 */
export function refusedProbes(path: string, key = ""): Probe[] {
  const get = (target: string, more = "") => `GET ${target} HTTP/1.1\r\n${HOST}${more}\r\n`;
  const post = (body: string, more = "") =>
    `POST ${path} HTTP/1.1\r\n${HOST}${more}Content-Length: ${body.length}\r\n\r\n${body}`;
  return [
    ["a malformed percent sign", 400, get("/api/%E0%A4%A")],
    ["a percent sign at the end", 400, get(`${path}%`)],
    ["percent and no hex", 400, get("/api/%zz")],
    ["an encoded NUL", 400, get(`${path}%00`)],
    ["an encoded line break", 400, get(`${path}%0d%0aSet-Cookie:a=b`)],
    ["an encoded lone surrogate", 400, get("/api/%ED%A0%80")],
    ["an over-long encoding", 400, get("/api/%C0%AF")],
    ["a raw NUL", 400, get(`${path}\0`)],
    ["a raw control character", 400, get(`${path}\x01`)],
    ["a raw byte above ASCII", 400, get("/api/\xff")],
    ["a double slash in front", 400, get("//api/x")],
    ["a double slash inside", 400, get("/api//x")],
    ["an encoded double slash", 400, get("/api/%2F%2Fx")],
    ["a backslash", 400, get("/api\\x", "")],
    ["an encoded backslash", 400, get("/api/%5cx")],
    ["dot segments", 400, get("/api/../api/x")],
    ["encoded dot segments", 400, get("/api/%2e%2e/x")],
    ["a fragment", 400, get(`${path}#y`)],
    ["an over-long target", 400, get(`/api/${LONG}`)],
    ["an over-long query", 400, get(`${path}?${LONG}`)],
    ["a target of more than all headers", 431, get(`/api/${LONG}${LONG}${LONG}${LONG}`)],
    ["OPTIONS *", 400, `OPTIONS * HTTP/1.1\r\n${HOST}\r\n`],
    ["GET *", 400, get("*")],
    ["a target without a slash", 400, get("api/x")],
    ["an empty target", 400, get("")],
    ["TRACE", 405, `TRACE ${path} HTTP/1.1\r\n${HOST}\r\n`],
    ["PROPFIND", 405, `PROPFIND ${path} HTTP/1.1\r\n${HOST}\r\n`],
    ["CONNECT", 405, `CONNECT example.test:443 HTTP/1.1\r\n${HOST}\r\n`],
    ["a method that the module lacks", 405, `DELETE ${path} HTTP/1.1\r\n${HOST}\r\n`],
    ["an invalid method", 400, `GRAB ${path} HTTP/1.1\r\n${HOST}\r\n`],
    ["a lower-case method", 400, `get ${path} HTTP/1.1\r\n${HOST}\r\n`],
    ["no Host", 400, `GET ${path} HTTP/1.1\r\n\r\n`],
    ["two Hosts", 400, get(path, HOST)],
    ["an invalid Host", 400, `GET ${path} HTTP/1.1\r\nHost: a/b?c\r\n\r\n`],
    ["a Host with a user", 400, `GET ${path} HTTP/1.1\r\nHost: a@b\r\n\r\n`],
    ["a websocket", 400, get(path, "Connection: Upgrade\r\nUpgrade: websocket\r\n")],
    ["an unknown expectation", 417, get(path, "Expect: a-miracle\r\n")],
    ["headers of more than 16 KiB", 431, get(path, `X-Long: ${"b".repeat(17_000)}\r\n`)],
    ["a header without a name", 400, get(path, ": b\r\n")],
    ["a header with a blank in its name", 400, get(path, "X y: b\r\n")],
    ["a NUL in a header", 400, get(path, "X-A: b\0c\r\n")],
    ["both lengths", 400, post("ab", "Transfer-Encoding: chunked\r\n")],
    ["two lengths", 400, post("ab", "Content-Length: 3\r\n")],
    ["an invalid length", 400, `POST ${path} HTTP/1.1\r\n${HOST}Content-Length: -1\r\n\r\n`],
    [
      "an invalid chunk size",
      400,
      `POST ${path} HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\nzz\r\n`,
    ],
    ["an unknown version", 400, `GET ${path} HTTP/9.9\r\n${HOST}\r\n`],
    ["no HTTP at all", 400, "\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03"],
    ["an unknown path", 404, get("/api/nothing")],
    ["the bare /api", 404, get("/api")],
    ["an encoded /api", 404, get("/%61pi/x")],
    ["a bare parameter", 404, get("/api/hooks/deliveries")],
    ["a body of 17 KB", 413, post("a".repeat(17_000), key)],
    ["a body of 2 MB", 413, post("a".repeat(2_000_000), key)],
  ];
}
