import { Input } from '../ui/Input.tsx';
import type { InputProps } from '../ui/Input.tsx';

interface CodeInputProps extends InputProps {
  /** Also accepts a recovery code, which has letters. */
  recovery?: boolean;
}

/** An input for the code of an authenticator app (with autofill on phones) or a recovery code. */
export function CodeInput({ recovery = false, ...rest }: CodeInputProps) {
  return (
    <Input
      {...rest}
      code
      autoComplete={recovery ? 'off' : 'one-time-code'}
      inputMode={recovery ? 'text' : 'numeric'}
      autoCapitalize="none"
      spellCheck={false}
      maxLength={40}
    />
  );
}
