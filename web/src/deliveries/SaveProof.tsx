import { FileCheck } from 'lucide-react';
import { api } from '../platform/api.ts';
import { saveResponse } from '../platform/download.ts';
import { useSingleMutation } from '../platform/single-mutation.ts';
import { toast } from '../platform/toasts.ts';
import { Button } from '../ui/Button.tsx';

/** Saves the proof of a delivery, which can be kept and checked without this server. */
export function SaveProof({ packageId }: { packageId: string }) {
  const save = useSingleMutation({
    mutationFn: async () => saveResponse(await api.deliveries.proof({ params: { id: packageId } }), 'proof.zip'),
    onSuccess: () =>
      toast({
        title: 'Proof saved',
        description: 'Unpack it and open proof.html: it checks itself, without a network.',
      }),
    onError: ({ message }) =>
      toast({ title: 'The proof could not be saved', description: message, variant: 'destructive' }),
  });
  return (
    <Button
      variant="secondary"
      icon={<FileCheck aria-hidden="true" className="size-5" />}
      loading={save.isPending}
      onClick={() => save.mutate()}
    >
      Save Proof
    </Button>
  );
}
