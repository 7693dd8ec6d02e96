import type { ReactNode } from "react";
import { FormError } from "@/components/ui/field";
import { FormActions } from "@/components/ui/form-actions";
import { HiddenFields } from "@/components/ui/hidden-fields";
import { useForm } from "@/components/ui/use-form";
import type { FormAction, FormState } from "@/lib/contract/form-state";
import { type ShownKey, useKeyReveal } from "./key-reveal";

interface Props {
  action: FormAction<ShownKey>;
  /** What is sent beside the fields. */
  hidden: Record<string, string>;
  submit: string;
  /** Fields that show their own errors. */
  fields?: string[];
  onClose: () => void;
  children: (state: FormState<ShownKey>) => ReactNode;
}

/** A form that brings a new key, which is shown once. */
export function NewKeyForm({ action, hidden, submit, fields, onClose, children }: Props) {
  const reveal = useKeyReveal();
  const { state, pending, props } = useForm(action, (shown) => {
    onClose();
    reveal(shown);
  });
  return (
    <form {...props} className="grid gap-5">
      <HiddenFields values={hidden} />
      {children(state)}
      <FormError state={state} fields={fields} />
      <FormActions submit={submit} pending={pending} onCancel={onClose} />
    </form>
  );
}
