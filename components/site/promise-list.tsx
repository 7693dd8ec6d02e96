import { PROMISES } from "./promises";

/** The promises, each with the command that shows it. */
export function PromiseList() {
  return (
    <ul className="grid grid-cols-1 gap-4 sm:grid-cols-2">
      {PROMISES.map(({ title, text, command }) => (
        <li
          key={title}
          className="grid min-w-0 content-start gap-2 rounded-xl border border-line bg-surface p-5 shadow-xs"
        >
          <h3 className="font-medium">{title}</h3>
          <p className="text-sm text-pretty text-muted">{text}</p>
          <code className="mt-1 rounded-md bg-subtle px-2.5 py-1.5 font-mono text-xs break-words">
            {command}
          </code>
        </li>
      ))}
    </ul>
  );
}
