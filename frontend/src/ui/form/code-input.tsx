import { OTPInput, REGEXP_ONLY_DIGITS, type SlotProps } from "input-otp";
import { codeLength } from "../../lib/constants.json";
import { classNames } from "../class-names";

interface CodeInputProps {
  value: string;
  onChange: (code: string) => void;
  /** Called when all six digits are typed or pasted. */
  onComplete?: (code: string) => void;
  invalid?: boolean;
  labelledBy: string;
  autoFocus?: boolean;
}

/** One field shown as six boxes; takes pasted codes and a phone's suggestion. */
export function CodeInput({ value, onChange, onComplete, invalid, labelledBy, autoFocus }: CodeInputProps) {
  return (
    <OTPInput
      maxLength={codeLength}
      value={value}
      onChange={onChange}
      {...(onComplete ? { onComplete: (code: string) => onComplete(code) } : {})}
      pattern={REGEXP_ONLY_DIGITS}
      pasteTransformer={(text) => text.replace(/\D/g, "")}
      inputMode="numeric"
      autoComplete="one-time-code"
      aria-labelledby={labelledBy}
      aria-invalid={invalid ?? false}
      autoFocus={autoFocus ?? false}
      containerClassName="flex"
      pushPasswordManagerStrategy="none"
      render={({ slots }) => (
        <div className="flex min-w-0 flex-1 gap-1.5">
          {slots.map((slot, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a box is its place
            <Box key={index} slot={slot} invalid={invalid ?? false} />
          ))}
        </div>
      )}
    />
  );
}

function Box({ slot, invalid }: { slot: SlotProps; invalid: boolean }) {
  return (
    <div
      className={classNames(
        "tabular grid h-12 max-w-11 min-w-0 flex-1 place-items-center rounded border text-lg font-semibold",
        invalid ? "border-danger" : "border-field",
        slot.isActive && "outline-2 outline-offset-2 outline-focus",
      )}
    >
      {slot.char ?? (slot.hasFakeCaret ? <span className="h-5 w-px bg-ink" /> : null)}
    </div>
  );
}
