// Must be the first import of the application: with JIT, zod tries `new Function` when the first schema is created, which the Content
// Security Policy blocks and reports. By the name under which zod keeps its settings: `config` would load the library with the shell,
// which only forms need.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });
