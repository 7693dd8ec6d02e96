import { CodeField, PasswordField } from "./password-field";

interface Props {
  password: boolean;
  code: boolean;
}

/** What somebody shows once more before a change that a borrowed session must not make; errors stand below. */
export function ProofFields({ password, code }: Props) {
  return (
    <>
      {password && <PasswordField state={{}} />}
      {code && <CodeField state={{}} />}
    </>
  );
}
