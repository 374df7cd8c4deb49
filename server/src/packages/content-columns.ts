/** The columns that tell equal content apart, in the order of the arguments of the database function `content_hash`. */
export const hashedColumnNames = [
  'reference',
  'name',
  'description',
  'category',
  'weight',
  'dimensions_cm',
  'recipient_name',
  'recipient_contact',
  'location',
  'eta',
  'address_street',
  'address_postal_code',
  'address_city',
  'address_country',
  'window_from',
  'window_to',
  'handling_fragile',
  'handling_keep_upright',
  'handling_refrigerated',
  'handling_signature_required',
  'handling_safe_place',
  'hide_recipient',
  'instructions',
  'show_sender',
] as const;

/**
 * The columns of the owner's content. How the recipient is reached, and what is asked at the door, is not hashed: rows of a file that differ only in that are the same
 * package, and the index of the hashes would have to be built anew.
 */
export const contentColumnNames = [
  ...hashedColumnNames,
  'handling_pin',
  'handling_age',
  'recipient_email',
  'recipient_phone',
  'recipient_language',
  'allow_changes',
] as const;
