import { fail } from "@/lib/platform/errors";
import { singleton } from "@/lib/platform/singleton";
import { PASSWORD_MAX } from "./password";

const PASSWORD_MIN = 10;

/** Guesses below which a password is refused: as many as a list of common passwords with simple variations has. */
const MIN_GUESSES = 1e6;

/** Characters that are examined: 32 take 60 ms at worst, 64 take 400 ms, and a usual password takes 2 ms. */
const EXAMINED = 32;

/** The owner of a password, for the words that a guesser tries first. */
interface Owner {
  email: string;
  name: string;
}

/** Loaded at the first new password: its lists take memory that most processes never need. */
const estimator = () =>
  singleton("accounts.password-estimator", async () => {
    const [{ ZxcvbnFactory }, { dictionary, adjacencyGraphs }] = await Promise.all([
      import("@zxcvbn-ts/core"),
      import("@zxcvbn-ts/language-common"),
    ]);
    return new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs });
  });

/** Name and address of the owner, whole and in parts, each cut to the examined length. */
function ownWords({ email, name }: Owner): string[] {
  const parts = `${email} ${name}`.toLowerCase().split(/[^\p{L}\p{N}]+/u);
  return [email, name, email.split("@", 1)[0] ?? "", "metacode", ...parts]
    .filter(({ length }) => length > 2)
    .map((word) => word.slice(0, EXAMINED));
}

/**
 * Throws VALIDATION_ERROR for a password that is too short, too long, or easy to guess: a common one, a pattern, or the
 * owner's own name or address. No kinds of characters are required.
 */
export async function requireGoodPassword(password: string, owner: Owner, field = "password"): Promise<void> {
  if (password.length < PASSWORD_MIN || password.length > PASSWORD_MAX) {
    fail("VALIDATION_ERROR", `${field} must have ${PASSWORD_MIN} to ${PASSWORD_MAX} characters`, { field });
  }
  const { guesses } = (await estimator()).check(password.slice(0, EXAMINED), ownWords(owner));
  if (guesses >= MIN_GUESSES) return;
  const message =
    "This password is easy to guess. Choose one that is not common, not a pattern, and not your name or address";
  fail("VALIDATION_ERROR", message, { field });
}
