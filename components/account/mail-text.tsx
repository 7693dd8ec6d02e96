/** The text of a mail, its addresses as links. Only those of the web: a mail may hold what others wrote. */
export function MailText({ text }: { text: string }) {
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
