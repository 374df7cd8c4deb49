import { basename } from 'node:path';
import { searchAllAgain } from '../packages/place-queries.ts';
import { forgetExtract, importExtract } from '../places/import-extract.ts';
import { defineCommand, UsageError } from './command.ts';
import { withDatabase } from './database.ts';
import { showProgress } from './progress-bar.ts';

const steps = { read: 'reading', cut: 'cutting tiles', store: 'storing' };

export const mapCommand = defineCommand(
  {
    help: `npm run cli -- map <file.osm.pbf>
npm run cli -- map --remove

Makes an extract of OpenStreetMap the map of this installation: its streets, buildings and water are shown, its addresses are found,
and driving times follow its roads. It takes the place of an extract that is there already; all of it or nothing. The server may run, and
shows it half a minute later. MAP_EXTRACT_MAX_MB limits the size of the file.

  --remove  takes the extract away`,
    options: { remove: { type: 'boolean', default: false } },
    operands: 1,
  },
  ({ remove }, [file]) => {
    if (remove === (file !== undefined)) throw new UsageError('Name a file, or --remove.');
    return withDatabase(async (db, { config, connection }) => {
      if (file === undefined) {
        await db.transaction(forgetExtract);
        console.log('The extract is removed.');
        return;
      }
      const progress = showProgress();
      let step = '';
      try {
        const { ways, addresses, crossings, tiles } = await importExtract({
          connection,
          file,
          name: basename(file).slice(0, 200),
          at: new Date(),
          limitMegabytes: config.MAP_EXTRACT_MAX_MB,
          onProgress(next, part) {
            if (step !== next) progress.step(steps[next]);
            step = next;
            progress.move(part, 1);
          },
        });
        progress.end();
        await searchAllAgain(db);
        console.log(
          `The map has ${ways} streets, buildings and areas, ${addresses} addresses, ${crossings} crossings and ${tiles} tiles.`,
        );
      } catch (error) {
        progress.end();
        throw error;
      }
    });
  },
);
