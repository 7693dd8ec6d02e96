import { type Mail, pageAddress } from "@/lib/mail/send";

interface Addressee {
  to: string;
  name: string;
}

const ask = (to: string) => `You get this because someone typed ${to} at ${pageAddress("/")}`;

/**
 * Asks whoever signed up to show that the mailbox is theirs. The name they gave is left out: a stranger could write
 * to anyone with it.
 */
export function confirmLetter(to: string, path: string): Mail {
  return {
    to,
    subject: "Confirm your e-mail address",
    text: `Hello,

open this page to confirm your address and finish signing up at Metacode. It works once, for 24 hours:

${pageAddress(path)}

${ask(to)}. If it was not you, do nothing: no account is made.
`,
  };
}

/** Answers a sign-up with an address that has an account; only its owner learns so. */
export function knownLetter(to: string): Mail {
  return {
    to,
    subject: "You have an account already",
    text: `Hello,

you have a Metacode account with this address already, and nothing about it was changed. Sign in:

${pageAddress("/sign-in")}

If you have forgotten the password, choose a new one:

${pageAddress("/reset")}

${ask(to)}. If it was not you, do nothing.
`,
  };
}

/** The way to a new password. */
export function resetLetter({ to, name }: Addressee, path: string): Mail {
  return {
    to,
    subject: "Choose a new password",
    text: `Hello ${name},

open this page to choose a new password for Metacode. It works once, for an hour:

${pageAddress(path)}

${ask(to)}. If it was not you, do nothing: your password stays as it is.
`,
  };
}

/** Answers a reset for an address without an account, so that nobody waits for a link in vain. */
export function unknownLetter(to: string): Mail {
  return {
    to,
    subject: "No account with this address",
    text: `Hello,

someone asked for a new password at Metacode, but there is no account with this address. If it was you, try the address
that you signed up with.

${ask(to)}. If it was not you, do nothing.
`,
  };
}

/** Tells the owner of something that a thief would do, too. */
export function noticeLetter({ to, name }: Addressee, what: string): Mail {
  return {
    to,
    subject: what,
    text: `Hello ${name},

${what.charAt(0).toLowerCase()}${what.slice(1)} at Metacode just now.

If it was not you, choose a new password at once, which signs out every browser:

${pageAddress("/reset")}
`,
  };
}
