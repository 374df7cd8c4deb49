import { handleCommands } from './child-process.ts';
import { openMailServer } from '../server/src/testing/mail-server.ts';

// A mail server in a process of its own, so that taking mails does not delay what is measured.
const server = await openMailServer();

/** Where it is, or how many mails it has taken since the last call. */
export type Command = 'url' | 'take';

handleCommands((command: Command) => (command === 'url' ? server.url : server.mails.splice(0).length));
