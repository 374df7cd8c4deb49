import * as z from 'zod/mini';
import { Id } from './common.ts';

/** How many packages one request may name. */
export const maxPackagesAtOnce = 200;

/** Packages that one request is about: 1 to 200, each once. */
export const PackageIds = z.array(Id).check(
  z.minLength(1, 'Please choose at least one package'),
  z.maxLength(maxPackagesAtOnce, `At most ${maxPackagesAtOnce} packages at a time`),
  z.refine((ids) => new Set(ids.map((id) => id.toLowerCase())).size === ids.length, 'Each package only once'),
);
