import { createServer, type ServerResponse } from 'node:http';
import { handleCommands } from '../child-process.ts';
import { settledMemory } from '../memory.ts';
import { listen } from './listen.ts';

/** Serves this view to every stream, or returns the memory in use (bytes). */
export type Command = { view: { trackingId: string; lastUpdate: string } } | 'memory';

const followers = new Map<string, Set<ServerResponse>>();

// Lower bound for a Node server: a change is sent to the streams of its package and stored nowhere.
function serve(view: { trackingId: string; lastUpdate: string }): Promise<string> {
  const server = createServer((request, response) => {
    const [, , , trackingId = '', kind] = request.url?.split('/') ?? [];
    const changed = { ...view, trackingId, lastUpdate: new Date().toISOString() };
    const event = `event: view\ndata: ${JSON.stringify(changed)}\n\n`;
    if (kind === 'live') {
      const streams = followers.get(trackingId) ?? new Set();
      followers.set(trackingId, streams.add(response));
      response.on('close', () => streams.delete(response));
      response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
      response.write(event);
      return;
    }
    response.end(JSON.stringify(changed));
    followers.get(trackingId)?.forEach((stream) => stream.write(event));
  });
  return listen(server);
}

handleCommands((command: Command) => (command === 'memory' ? settledMemory() : serve(command.view)));
