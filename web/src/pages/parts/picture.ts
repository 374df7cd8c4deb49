import type { Role } from '@waybill/contract';
import type { Feature } from './features.ts';

/** The pictures of the landing page. */
export type PictureName = 'hero' | Role | Feature;
