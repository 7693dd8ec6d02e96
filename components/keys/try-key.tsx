import { CodeBlock } from "@/components/ui/code-block";
import { Section } from "@/components/ui/section";

/** A first request to copy. The key itself is not part of the page. */
export function TryKey({ baseUrl }: { baseUrl: string }) {
  const text = [
    `curl ${baseUrl}/referrer \\`,
    `  --header "x-api-key: $METACODE_KEY" \\`,
    `  --json '{"uid": "user_123"}'`,
  ].join("\n");
  return (
    <Section
      title="Try your key"
      hint="First set the environment variable METACODE_KEY to your key. The response contains a metacode for user_123."
    >
      <CodeBlock text={text} label="Copy the command" />
    </Section>
  );
}
