import { removeTotpByEmail } from '../users/second-factor.ts';
import { defineCommand, UsageError } from './command.ts';
import { withDatabase } from './database.ts';

export const removeSecondFactorCommand = defineCommand(
  {
    help: `npm run cli -- remove-second-factor --email E

For whoever has lost phone and recovery codes: the password alone signs in then, until they set up another one. It stands in
the audit log, and the user is told.`,
    options: { email: { type: 'string' } },
  },
  async ({ email }) => {
    if (!email) throw new UsageError('--email is missing');
    const removed = await withDatabase((db) => removeTotpByEmail(db, email));
    console.log(removed ? `${email} signs in with the password alone now.` : `${email} has no second factor.`);
  },
);
