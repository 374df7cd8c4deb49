// Where `node server/src/main.ts` begins: that file is a link to this one. An older Node refuses every .ts file of a folder of ES modules
// with a stack, before its first line; this folder has CommonJS, and nothing in here but JavaScript, so that it gets a sentence instead.
if (Number(process.versions.node.split('.')[0]) < 22) {
  console.error(
    `Waybill needs Node.js 24, which comes with it; this is ${process.version}. Start it with npm start, or with node_modules/.bin/node in place of node.`,
  );
  process.exitCode = 1;
} else void import('../src/serve.ts');
