import { createContext, useContext } from 'react';

interface FieldWiring {
  id: string;
  describedBy: string | undefined;
  invalid: boolean;
  required: boolean;
  disabled: boolean;
}

export const FieldContext = createContext<FieldWiring | null>(null);

/** The attributes that link a control to the label, hint and error of the Field around it. */
export function useFieldControl() {
  const field = useContext(FieldContext);
  return {
    id: field?.id,
    'aria-describedby': field?.describedBy,
    'aria-invalid': field?.invalid || undefined,
    'aria-required': field?.required || undefined,
    disabled: field?.disabled || undefined,
  };
}
