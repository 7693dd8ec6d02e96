import { Button } from "./button";
import { DialogActions } from "./dialog";

interface Props {
  /** The label of the button that sends the form. */
  submit: string;
  variant?: "primary" | "danger";
  pending: boolean;
  disabled?: boolean;
  onCancel: () => void;
}

/** Cancel and submit, at the end of a form in a dialog. A form that was sent can no longer be cancelled. */
export function FormActions({ submit, variant, pending, disabled, onCancel }: Props) {
  return (
    <DialogActions>
      <Button variant="secondary" onClick={onCancel} disabled={pending}>
        Cancel
      </Button>
      <Button type="submit" variant={variant} pending={pending} disabled={disabled}>
        {submit}
      </Button>
    </DialogActions>
  );
}
