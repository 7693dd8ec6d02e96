import { CodeField, PasswordField } from "./password-field";
import { Username } from "./username";

/** What somebody can show: the address, and whether there is a password with it. */
export interface Prover {
  email: string;
  hasPassword: boolean;
}

interface Props {
  prover: Prover;
  /** Asks for the second factor as well. */
  code: boolean;
}

/** What somebody shows once more before a change that a borrowed session must not make; errors stand below. */
export function ProofFields({ prover, code }: Props) {
  return (
    <>
      {prover.hasPassword && <Username email={prover.email} />}
      {prover.hasPassword && <PasswordField state={{}} />}
      {code && <CodeField state={{}} />}
    </>
  );
}
