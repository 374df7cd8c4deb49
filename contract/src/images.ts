import * as z from 'zod/mini';
import { text } from './common.ts';
import { group, type FileInput } from './endpoint.ts';

const count = 3;
const bytes = 10 * 1024 * 1024;
export const imageLimits = { count, bytes } as const;

const noFile = 'No file provided';
const tooLarge = 'File size exceeds 10MB limit';
const wrongType = 'Invalid file type. Only JPEG, PNG, GIF, and WebP are allowed';
const tooMany = 'Maximum 3 images allowed';
export const imageMessages = { noFile, tooLarge, wrongType, tooMany } as const;

export const imageTypes = ['image/jpeg', 'image/jpg', 'image/png', 'image/gif', 'image/webp'] as const;
export const ImageType = z.enum(imageTypes, wrongType);
export type ImageType = z.output<typeof ImageType>;

export const FileName = text('File name', { min: 1, max: 255, tooShort: noFile });

export const UploadInput = z.strictObject({
  name: FileName,
  type: ImageType,
  /** In bytes. */
  size: z.int().check(z.minimum(1, noFile), z.maximum(bytes, tooLarge)),
  /** SHA-256 of the file in base64: object storage then rejects any other content. */
  checksum: z.optional(z.string().check(z.regex(/^[A-Za-z0-9+/]{43}=$/, 'Checksum must be a SHA-256 in base64'))),
});
export type UploadInput = z.output<typeof UploadInput>;

/** A presigned URL for the file: a plain PUT without a bearer token. `image` identifies it in other calls and is its path once attached. */
export const Upload = z.object({
  url: z.string(),
  method: z.literal('PUT'),
  headers: z.record(z.string(), z.string()),
  /** In seconds. */
  expiresIn: z.int(),
  image: z.string(),
});
export type Upload = z.output<typeof Upload>;

/** One image as multipart/form-data, in the field `image`. */
export const imageFile: FileInput = {
  field: 'image',
  maxBytes: bytes,
  missing: noFile,
  tooLarge,
};

/** An uploaded image, by the `image` of its upload or by its path. `?size=thumbnail` on that path returns a small version. */
export const ImageInput = z.string('Must be an uploaded image').check(z.maxLength(300, 'Must be an uploaded image'));

export const Images = z.array(ImageInput).check(z.maxLength(count, tooMany));

export const images = group({
  announce: {
    method: 'POST',
    path: '/uploads',
    limit: 'upload',
    failure: 'Failed to upload image.',
    access: 'active',
    scope: 'self',
    body: UploadInput,
    reply: Upload,
    status: 201,
    errors: ['storage_not_configured'],
  },
});
