import { Eye, EyeOff } from 'lucide-react';
import { useState } from 'react';
import { translated } from '../platform/texts.ts';
import { IconButton } from '../ui/IconButton.tsx';
import { Input } from '../ui/Input.tsx';
import type { InputProps } from '../ui/Input.tsx';

/** A password input with a button that reveals the password, because long ones are easy to mistype. */
export function PasswordInput(props: Omit<InputProps, 'type' | 'end'>) {
  const [shown, setShown] = useState(false);
  return (
    <Input
      {...props}
      type={shown ? 'text' : 'password'}
      autoCapitalize="none"
      spellCheck={false}
      maxLength={128}
      end={
        <IconButton
          size="sm"
          label={translated(shown ? 'Hide password' : 'Show password')}
          icon={shown ? <EyeOff aria-hidden="true" /> : <Eye aria-hidden="true" />}
          onClick={() => setShown(!shown)}
        />
      }
    />
  );
}
