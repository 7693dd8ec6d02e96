import { CodeBlock } from "@/components/ui/code-block";

const FACTS = [
  "An embedded PostgreSQL, or your own from version 15",
  "One process or many, one machine or several",
  "No Redis needed; Redis or Upstash where you have it",
  "No account anywhere, nothing is sent home",
];

/** One command, and what it brings. */
export function SelfHost() {
  return (
    <div className="grid grid-cols-1 items-start gap-6 sm:grid-cols-2">
      <CodeBlock text="npm start" label="Copy the command" />
      <ul className="grid gap-2 text-sm text-muted">
        {FACTS.map((fact) => (
          <li key={fact} className="flex gap-2.5">
            <span aria-hidden className="text-good">
              ✓
            </span>
            {fact}
          </li>
        ))}
      </ul>
    </div>
  );
}
