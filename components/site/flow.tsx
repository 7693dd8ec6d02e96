const STEPS = [
  {
    name: "Share",
    call: "POST /api/referrer",
    text: "A user gets a metacode and a link to share. Both stay the same for good.",
  },
  {
    name: "Redeem",
    call: "POST /api/referee-redeem",
    text: "A friend enters the metacode and gets one unused store code, never given twice.",
  },
  {
    name: "Confirm",
    call: "POST /api/providers/…",
    text: "The purchase is confirmed by your billing provider's webhook, such as RevenueCat's.",
  },
  {
    name: "Claim",
    call: "POST /api/referrer-claim",
    text: "After enough confirmed friends the user claims a reward code.",
  },
];

/** The whole referral loop in four calls. */
export function Flow() {
  return (
    <section aria-labelledby="flow" className="grid gap-6">
      <h3 id="flow" className="text-lg font-semibold tracking-tight">
        The whole loop in four calls
      </h3>
      <ol className="grid overflow-hidden rounded-xl border border-line bg-surface shadow-xs sm:grid-cols-2 lg:grid-cols-4">
        {STEPS.map(({ name, call, text }, index) => (
          <li
            key={name}
            className="-mt-px -ml-px grid content-start gap-2.5 border-t border-l border-line p-6"
          >
            <span className="text-[13px] text-muted tabular-nums">{index + 1}</span>
            <h4 className="text-[15px] font-medium">{name}</h4>
            <p className="text-sm text-muted">{text}</p>
            <code className="pt-1 font-mono text-xs text-accent">{call}</code>
          </li>
        ))}
      </ol>
    </section>
  );
}
