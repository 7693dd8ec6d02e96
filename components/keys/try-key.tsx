import { CodeBlock } from "@/components/ui/code-block";
import { Section } from "@/components/ui/section";

/** The parts of a first request with a key, or with the variable that holds it. */
export const firstRequest = (baseUrl: string, key: string) => [
  `curl ${baseUrl}/referrer`,
  `--header "x-api-key: ${key}"`,
  `--json '{"uid": "user_123"}'`,
];

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
