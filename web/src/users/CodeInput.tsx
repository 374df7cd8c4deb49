import { Input } from '../ui/Input.tsx';
import type { InputProps } from '../ui/Input.tsx';

interface CodeInputProps extends InputProps {
  /** A recovery code has letters. */
  recovery?: boolean;
}

/** The code of an authenticator app, as phones offer it, or a recovery code. */
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
