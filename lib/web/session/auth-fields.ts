import { fail } from "@/lib/platform/errors";
import { parseJson } from "@/lib/platform/json";
import { MAX_JSON_BYTES, readBytes } from "@/lib/web/http/body";
import { HOME, returnPath } from "@/lib/web/session/paths";

/** The fields that next-auth reads; it treats each as text without a check. */
const FIELDS = ["csrfToken", "email", "password", "json"];

/** The fields of a request to next-auth, sent as a form or as JSON. Throws 4xx for any other body. */
export async function readAuthFields(request: Request): Promise<Record<string, string>> {
  const sent = await readSent(request);
  const texts = FIELDS.flatMap((name) => (typeof sent[name] === "string" ? [[name, sent[name]]] : []));
  const callbackUrl = sent.callbackUrl === undefined ? HOME : returnPath(sent.callbackUrl);
  return { ...Object.fromEntries(texts), callbackUrl };
}

/** The parameters with which a service redirects back to us. */
const RETURNED = ["code", "state", "error", "iss"];

/** The parameters of a return from a service, each at most once. */
export function readReturn(request: Request): Record<string, string> {
  const { searchParams } = new URL(request.url);
  return Object.fromEntries(
    RETURNED.flatMap((name) => {
      const value = searchParams.get(name);
      return value === null ? [] : [[name, value]];
    }),
  );
}

async function readSent(request: Request): Promise<Record<string, unknown>> {
  const type = request.headers.get("content-type")?.split(";", 1)[0]?.trim().toLowerCase();
  const bytes = await readBytes(request, MAX_JSON_BYTES);
  if (type === "application/x-www-form-urlencoded") {
    return Object.fromEntries(new URLSearchParams(new TextDecoder().decode(bytes)));
  }
  if (type !== "application/json") return fail("UNSUPPORTED_MEDIA_TYPE", "Send a form or JSON");
  const value = parseJson(bytes);
  if (typeof value !== "object" || value === null) fail("VALIDATION_ERROR", "Send a form or a JSON object");
  return value as Record<string, unknown>;
}
