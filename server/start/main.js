// The entry point: server/src/main.ts is a symbolic link to this file. An old Node rejects every .ts file of an ES module package with a
// stack trace, before the first line runs. This folder is CommonJS and has only plain JavaScript, so an old Node prints a sentence instead.
if (Number(process.versions.node.split('.')[0]) < 22) {
  console.error(
    `Waybill needs Node.js 24, which comes with it; this is ${process.version}. Start it with npm start, or with node_modules/.bin/node in place of node.`,
  );
  process.exitCode = 1;
} else {
  // Before the first .ts file: to strip the types of a single one, Node loads a compiler that takes 20 MB as long as the process runs.
  require('node:module').enableCompileCache();
  void import('../src/serve.ts').then(({ serve }) => serve());
}
