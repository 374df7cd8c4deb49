import { Input } from '../ui/Input.tsx';

interface CodeInputProps {
  value: string;
  onChange: (code: string) => void;
  /** A recovery code has letters. */
  recovery?: boolean;
}

/** The code of an authenticator app, as phones offer it, or a recovery code. */
export function CodeInput({ value, onChange, recovery = false }: CodeInputProps) {
  return (
    <Input
      value={value}
      code
      autoComplete={recovery ? 'off' : 'one-time-code'}
      inputMode={recovery ? 'text' : 'numeric'}
      autoCapitalize="none"
      spellCheck={false}
      maxLength={40}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
