import { createInterface } from 'node:readline/promises';
import { RegisterInput } from '@waybill/contract';
import { createAdmin } from '../users/service.ts';
import { defineCommand } from './command.ts';
import { withDatabase } from './database.ts';

export const createAdminCommand = defineCommand(
  {
    help: `npm run cli -- create-admin [--email E] [--name N] [--password P]

Makes an administrator; asks for what is missing. The password is asked for, or read from standard input where that is not
a terminal: given as an option it can be read by whoever sees this machine's processes.`,
    options: { email: { type: 'string' }, name: { type: 'string' }, password: { type: 'string' } },
  },
  async (values) => {
    const account = await promptForMissing(values);
    const input = RegisterInput.safeParse({ ...account, role: 'admin' });
    if (!input.success) throw new Error(input.error.issues.map((issue) => issue.message).join('\n'));
    await withDatabase((db) => createAdmin(db, input.data));
    console.log(`${input.data.email} can sign in as an administrator now.`);
  },
);

interface AccountOptions {
  email?: string | undefined;
  name?: string | undefined;
  password?: string | undefined;
}

async function promptForMissing({ email, name = 'Administrator', password }: AccountOptions) {
  if (email !== undefined && password !== undefined) return { email, name, password };
  if (!process.stdin.isTTY) {
    let piped = '';
    for await (const chunk of process.stdin) piped += String(chunk);
    return { email: email ?? '', name, password: password ?? piped.replace(/\r?\n$/, '') };
  }
  const prompt = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return {
      email: email ?? (await prompt.question('Email: ')),
      name,
      password: password ?? (await prompt.question('Password (at least 6 characters): ')),
    };
  } finally {
    prompt.close();
  }
}
