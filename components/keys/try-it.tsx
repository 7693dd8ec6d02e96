import { CodeBlock } from "@/components/ui/code-block";
import { Section } from "@/components/ui/section";

/** A first request to copy; the key itself is nowhere in the page. */
export function TryIt({ baseUrl }: { baseUrl: string }) {
  const text = [
    `curl ${baseUrl}/referrer \\`,
    `  --header "x-api-key: $METACODE_KEY" \\`,
    `  --json '{"uid": "user_123"}'`,
  ].join("\n");
  return (
    <Section
      title="Try a key"
      hint="Put the key into the variable METACODE_KEY of your terminal first. The answer is a metacode for user_123."
    >
      <CodeBlock text={text} label="Copy the command" />
    </Section>
  );
}
