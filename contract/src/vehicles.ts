import * as z from 'zod/mini';

/** What driving costs, as the settings say. */
export const CostRates = z.object({ perKilometre: z.number(), perHour: z.number(), currency: z.string() });
export type CostRates = z.output<typeof CostRates>;

/** What a way costs: its kilometres and its driving time. Rounded to hundredths. */
export const costOfDrive = (drive: { metres: number; seconds: number }, rates: CostRates): number =>
  Math.round((drive.metres / 1000) * rates.perKilometre * 100 + (drive.seconds / 3600) * rates.perHour * 100) / 100;

/** What a package can need of a vehicle: `refrigerated` those that must be kept cold. */
export const vehicleSkills = ['refrigerated'] as const;
export type VehicleSkill = (typeof vehicleSkills)[number];

/** The skills that a package needs, by its handling. */
export const skillsFor = (handling: { refrigerated: boolean }): VehicleSkill[] =>
  handling.refrigerated ? ['refrigerated'] : [];

export const maxGramsPerKm = 2000;

/**
 * CO2 of a vehicle in g/km, tailpipe only, for vehicles without a figure of their own, by a word in their type. Round assumptions for
 * combustion engines, not from a published table: a firm that reports them enters its own.
 */
const usualEmissions: readonly (readonly [words: RegExp, gramsPerKm: number])[] = [
  [/\b(e|electric|elektro|électrique|eléctric\w*|bev)\b|\be-?(van|bike|cargo|scooter|transit|sprinter|crafter)/i, 0],
  [/cargo ?bike|bicycle|\bbike\b|fahrrad|lastenrad|vélo|bicicleta|on foot|\bwalk/i, 0],
  [/truck|lorry|lkw|camion|camión/i, 490],
  [/motor ?cycle|motor ?bike|scooter|moped|motorrad|roller/i, 113],
  [/\bcar\b|\bpkw\b|voiture|coche|sedan|hatchback|kombi|estate/i, 165],
];

/** What a vehicle emits in g/km: its own figure, else what is usual for its type, else for a van. */
export const gramsPerKmOf = (vehicle: { type: string | null; gramsPerKm: number | null } | null): number =>
  vehicle?.gramsPerKm ?? usualEmissions.find(([words]) => words.test(vehicle?.type ?? ''))?.[1] ?? 250;
