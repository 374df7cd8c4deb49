import type { Package } from '@waybill/contract';
import { History } from 'lucide-react';
import { api } from '../platform/api.ts';
import { useSession } from '../platform/session.ts';
import { useSingleMutation } from '../platform/single-mutation.ts';
import { toast } from '../platform/toasts.ts';
import { Button } from '../ui/Button.tsx';

/** Finds the owner's newest package, for a form that repeats it. */
export function LikeTheLastOne({ onFound }: { onFound: (pkg: Package) => void }) {
  const { user } = useSession();
  const find = useSingleMutation({
    mutationFn: async (ownerId: string, signal) => {
      const query = { sort: '-createdAt', limit: 1 } as const;
      return (await api.packages.listOfUser({ params: { id: ownerId }, query, signal })).items[0];
    },
    onSuccess: (pkg) =>
      pkg ? onFound(pkg) : toast({ title: 'Nothing to repeat', description: 'This is your first package.' }),
  });
  return (
    <Button
      variant="secondary"
      size="sm"
      icon={<History aria-hidden="true" className="size-4" />}
      loading={find.isPending}
      onClick={() => user && find.mutate(user.id)}
    >
      Like the last one
    </Button>
  );
}
