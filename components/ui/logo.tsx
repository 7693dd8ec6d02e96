/** The mark: a coupon whose perforation is a line of three dots. */
export function Logo({ className = "size-5" }: { className?: string }) {
  return (
    <svg viewBox="0 0 24 24" className={className} aria-hidden>
      <path
        fill="currentColor"
        d="M4.5 4h15A2.5 2.5 0 0 1 22 6.500V9a3 3 0 0 0 0 6v2.500a2.500 2.500 0 0 1-2.500 2.500h-15A2.500 2.500 0 0 1 2 17.500V15a3 3 0 0 0 0-6V6.500A2.500 2.500 0 0 1 4.500 4Zm9.750 3.250a1.250 1.250 0 1 0 0 2.500 1.250 1.250 0 0 0 0-2.500Zm0 3.500a1.250 1.250 0 1 0 0 2.500 1.250 1.250 0 0 0 0-2.500Zm0 3.500a1.250 1.250 0 1 0 0 2.500 1.250 1.250 0 0 0 0-2.500Z"
      />
    </svg>
  );
}
