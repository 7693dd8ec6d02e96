import { CodeBlock } from "@/components/ui/code-block";
import { Section } from "@/components/ui/section";
import type { Scope } from "@/lib/contract/api-key";

/** The parts of a first request with a key, or with the variable that holds it. */
const firstRequest = (baseUrl: string, key: string) => [
  `curl ${baseUrl}/referrer`,
  `--header "x-api-key: ${key}"`,
  `--json '{"uid": "user_123"}'`,
];

/** The row of a new key with a first request that creates a referrer; none for a key without the scope. */
export const firstRequestRow = (origin: string, key: string, scopes: readonly Scope[]) =>
  scopes.includes("referrer:write")
    ? [
        {
          name: "First request",
          text: firstRequest(`${origin}/api`, key).join(" "),
          testId: "first-request",
        },
      ]
    : [];

/** A first request to copy. The key itself is not part of the page. */
export function TryKey({ baseUrl }: { baseUrl: string }) {
  const text = firstRequest(baseUrl, "$METACODE_KEY").join(" \\\n  ");
  return (
    <Section
      title="Try your key"
      hint="First set the environment variable METACODE_KEY to your key. The response contains a metacode for user_123."
    >
      <CodeBlock text={text} label="Copy the command" />
    </Section>
  );
}
