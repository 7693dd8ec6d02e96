"use client";

import { Button } from "@/components/ui/button";
import { CodeLines } from "@/components/ui/code";
import { Field, TextareaField } from "@/components/ui/field";
import { useForm } from "@/components/ui/use-form";
import type { TriedOperation } from "@/lib/contract/docs";
import type { FormState } from "@/lib/contract/form-state";
import { KeyField, type KeySource } from "./key-field";
import { forgetSandboxKey, useSandboxKey } from "./sandbox-key";

interface Reply {
  /** The sandbox key of the request. */
  key: string;
  status: number;
  milliseconds: number;
  requestId: string | null;
  text: string;
}

function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** Random digits. `randomUUID` exists only on pages with TLS. */
const newKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

async function send(operation: TriedOperation, form: FormData, key: string): Promise<Reply> {
  const { method, path, body, keyed, idempotent } = operation;
  const address = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(form.get(name))));
  const headers: Record<string, string> = {
    ...(keyed && { "x-api-key": key }),
    ...(body !== undefined && { "Content-Type": "application/json" }),
    ...(idempotent && { "Idempotency-Key": newKey() }),
  };
  const began = performance.now();
  const response = await fetch(`/api${address}`, {
    method,
    headers,
    credentials: "omit",
    ...(body !== undefined && { body: String(form.get("body")) }),
  });
  const text = await response.text();
  const milliseconds = Math.round(performance.now() - began);
  return {
    key,
    status: response.status,
    milliseconds,
    requestId: response.headers.get("x-request-id"),
    text: indented(text),
  };
}

/** Sends the operation to this installation's sandbox and shows the response. */
export function TryIt({ operation, ...source }: KeySource & { operation: TriedOperation }) {
  const { keyed, body, parameters } = operation;
  const { key } = useSandboxKey();
  const action = async (_: FormState, form: FormData): Promise<FormState<Reply>> => {
    try {
      return { ok: { result: await send(operation, form, key) } };
    } catch {
      return { error: { message: "No response. Check your connection and try again." } };
    }
  };
  const { state, pending, props } = useForm(action, undefined, { stores: false });
  const { ok, error } = state;
  return (
    <section
      aria-labelledby="try-it"
      className="grid gap-4 rounded-lg border border-line bg-surface p-4 sm:p-5"
    >
      <h2 id="try-it" className="scroll-mt-20 text-base font-semibold tracking-tight">
        Try it{keyed && " in the sandbox"}
      </h2>
      {keyed && <KeyField {...source} />}
      <form {...props} className="grid gap-3">
        {parameters.map(({ name, example }) => (
          <Field
            key={name}
            {...{ name, state, label: name, defaultValue: example }}
            required
            autoComplete="off"
          />
        ))}
        {body !== undefined && (
          <TextareaField
            label="Body"
            name="body"
            rows={body.split("\n").length}
            defaultValue={body}
            spellCheck={false}
            className="font-mono"
          />
        )}
        <div className="flex flex-wrap items-center gap-3">
          <Button type="submit" pending={pending} disabled={keyed && key === ""}>
            Send request
          </Button>
          <span role="status" className="text-sm text-muted">
            {error && !error.field && error.message}
            {ok && `${ok.result.status} in ${ok.result.milliseconds} ms`}
          </span>
        </div>
      </form>
      {keyed && ok?.result.status === 401 && ok.result.key === key && (
        <p role="alert" className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-bad">
          The API refused this key.
          <Button size="sm" variant="secondary" onClick={forgetSandboxKey}>
            Forget this key
          </Button>
        </p>
      )}
      {ok && (
        <figure className="max-h-96 overflow-y-auto rounded-lg border border-line bg-subtle">
          <CodeLines lines={ok.result.text.split("\n").map((text) => [{ text, look: undefined }])} />
          {ok.result.requestId && (
            <figcaption className="border-t border-line px-3.5 py-2 font-mono text-xs text-muted">
              X-Request-Id: {ok.result.requestId}
            </figcaption>
          )}
        </figure>
      )}
    </section>
  );
}
