import { type NewEmail, pageAddress } from "@/lib/platform/email/send";

interface Addressee {
  email: string;
  name: string;
  /** Null while the mailbox is unconfirmed, because a stranger may have entered the name. */
  emailVerifiedAt: Date | null;
}

const greeting = ({ name, emailVerifiedAt }: Addressee) => (emailVerifiedAt ? `Hello ${name},` : "Hello,");

const reason = (to: string) => `You received this email because ${to} was entered at ${pageAddress("/")}`;

/**
 * Requests proof that the mailbox belongs to the user who signed up. The entered name is left out: it would let a
 * stranger send texts to any address.
 */
export function confirmationEmail(to: string, path: string): NewEmail {
  return {
    to,
    subject: "Confirm your email address",
    text: `Hello,

Open this page to confirm your email address and finish signing up for Metacode. The link works once, within 24 hours:

${pageAddress(path)}

${reason(to)}. If it was not you, ignore this email: no account will be created.
`,
  };
}

/** Answers a sign-up with the address of an existing account; only its owner learns that it exists. */
export function alreadyRegisteredEmail(to: string): NewEmail {
  return {
    to,
    subject: "You already have an account",
    text: `Hello,

You already have a Metacode account with this address. Nothing was changed. Sign in:

${pageAddress("/sign-in")}

If you forgot your password, choose a new one:

${pageAddress("/reset")}

${reason(to)}. If it was not you, ignore this email.
`,
  };
}

/** The link to choose a new password. */
export function passwordResetEmail(addressee: Addressee, path: string): NewEmail {
  const to = addressee.email;
  return {
    to,
    subject: "Choose a new password",
    text: `${greeting(addressee)}

Open this page to choose a new password for Metacode. The link works once, within one hour:

${pageAddress(path)}

${reason(to)}. If it was not you, ignore this email: your password stays the same.
`,
  };
}

/** Answers a reset for an address without an account, so that its owner does not wait for a link. */
export function unknownAddressEmail(to: string): NewEmail {
  return {
    to,
    subject: "No account with this address",
    text: `Hello,

A new password for Metacode was requested, but there is no account with this address. If it was you, try the address
that you signed up with.

${reason(to)}. If it was not you, ignore this email.
`,
  };
}

const GUESSING = {
  password: {
    subject: "Too many wrong passwords for your account",
    what: (count: number) =>
      `In the last 24 hours, someone entered ${count} wrong passwords for your Metacode account.`,
    wayIn: "with a link by email",
    advice: "Your password was not guessed. Choose a longer one if others may know it",
  },
  code: {
    subject: "Someone may know your password",
    what: (count: number) =>
      `In the last 24 hours, someone entered ${count} wrong two-factor codes for your Metacode account. They had already passed the first step, probably with your password.`,
    wayIn: "with a recovery code instead of a two-factor code",
    advice: "If it was not you, choose a new password now",
  },
};

/** Instead, for wrong codes of an account without a password: only GitHub or Google leads to its second step. */
const GUESSING_CONNECTED: typeof GUESSING.code = {
  ...GUESSING.code,
  subject: "Someone may have access to your GitHub or Google account",
  what: (count) =>
    `In the last 24 hours, someone entered ${count} wrong two-factor codes for your Metacode account. They had already passed the first step, with the GitHub or Google account that is connected to yours.`,
  advice:
    "If it was not you, change your password there now. Then disconnect that account by choosing a password for Metacode",
};

/** The browsers that were stopped, and the way in for the others. */
const STOPPED = {
  unfamiliar:
    "further attempts from new browsers are blocked. You can still sign in from a browser in which you have signed in before, or\n",
  familiar:
    "further attempts from browsers in which you have signed in before are blocked. You can still sign in\n",
};

/** Notifies the owner which browsers were stopped and how to sign in regardless. */
export function guessingEmail(
  addressee: Addressee & { passwordHash: string | null },
  { guessed, count, familiar }: { guessed: keyof typeof GUESSING; count: number; familiar: boolean },
): NewEmail {
  const isConnected = guessed === "code" && addressee.passwordHash === null;
  const { subject, what, wayIn, advice } = isConnected ? GUESSING_CONNECTED : GUESSING[guessed];
  return {
    to: addressee.email,
    subject,
    text: `${greeting(addressee)}

${what(count)} All were refused.

For up to a day, ${STOPPED[familiar ? "familiar" : "unfamiliar"]}${wayIn}.

${advice}:

${pageAddress("/reset")}
`,
  };
}

/** Notifies the owner of a change that a thief would make too, and of the services that no longer sign in. */
export function noticeEmail(
  addressee: Addressee,
  what: string,
  disconnected: readonly string[] = [],
): NewEmail {
  const services = disconnected.join(" and ");
  const again =
    services &&
    `No longer connected: ${services}. To connect again:\n\n${pageAddress("/dashboard/account")}\n\n`;
  return {
    to: addressee.email,
    subject: what,
    text: `${greeting(addressee)}

${what} on Metacode just now.

${again}If it was not you, choose a new password now. That signs you out of every browser and disconnects GitHub and Google:

${pageAddress("/reset")}
`,
  };
}
