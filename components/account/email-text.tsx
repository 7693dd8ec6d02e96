/** The text of an email with its web addresses as links. Other schemes stay text, because anyone may have written it. */
export function EmailText({ text }: { text: string }) {
  const parts = text.trim().split(/(https?:\/\/\S+)/);
  return (
    <p className="text-sm wrap-anywhere whitespace-pre-wrap">
      {parts.map((part, index) =>
        index % 2 === 1 ? (
          <a key={part} href={part} className="text-accent underline underline-offset-4">
            {part}
          </a>
        ) : (
          part
        ),
      )}
    </p>
  );
}
