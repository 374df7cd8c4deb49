import { imageTypes } from '@waybill/contract';

/** A file input that looks like a button. Images can also be dropped on it. */
export function ImageButton({ children, onChoose }: { children: string; onChoose: (file: File | undefined) => void }) {
  return (
    <label className="relative inline-flex min-h-11 items-center rounded-control border border-control px-4 text-ui font-medium hover:border-ink-3 has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus">
      {children}
      <input
        type="file"
        accept={imageTypes.join()}
        className="absolute inset-0 cursor-pointer opacity-0"
        onChange={(event) => onChoose(event.target.files?.[0])}
      />
    </label>
  );
}
