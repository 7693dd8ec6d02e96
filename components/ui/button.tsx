import type { ComponentProps } from "react";

const VARIANTS = {
  primary: "bg-ink text-page hover:opacity-85",
  secondary: "border border-line bg-surface text-ink shadow-xs hover:bg-subtle",
  ghost: "text-muted hover:bg-subtle hover:text-ink",
  danger: "bg-bad-fill text-white hover:opacity-90",
};

const SIZES = {
  sm: "h-8 px-3 text-note pointer-coarse:h-10",
  md: "h-9 px-3.5 text-sm",
  lg: "h-11 px-5 text-lead",
};

export interface ButtonLook {
  variant?: keyof typeof VARIANTS;
  size?: keyof typeof SIZES;
}

/** The classes of a button, for links as well. */
export function buttonClass({ variant = "primary", size = "md" }: ButtonLook = {}): string {
  const base =
    "inline-flex items-center justify-center gap-2 rounded-md font-medium whitespace-nowrap transition-colors";
  return `${base} disabled:opacity-50 disabled:pointer-events-none ${VARIANTS[variant]} ${SIZES[size]}`;
}

type Props = ComponentProps<"button"> & ButtonLook & { pending?: boolean };

/** A button. While `pending` it ignores clicks, keeps the focus and is announced as disabled. */
export function Button({ variant, size, pending, className = "", children, ...rest }: Props) {
  return (
    <button
      type="button"
      {...rest}
      aria-disabled={pending || undefined}
      onClick={pending ? (event) => event.preventDefault() : rest.onClick}
      className={`${buttonClass({ variant, size })} ${pending ? "opacity-60" : ""} ${className}`}
    >
      {pending && (
        <span
          className="size-3.5 animate-spin rounded-full border-2 border-current border-r-transparent"
          aria-hidden
        />
      )}
      {children}
    </button>
  );
}
