import { existsSync } from 'node:fs';
import { readFile, readdir } from 'node:fs/promises';

/** CPU time since the start of the machine and of its processes, in clock ticks (Linux: 100 a second). */
export interface CpuTimes {
  /** Of all processes. Interrupts are left out: loopback traffic causes them, and nobody knows on whose behalf. */
  all: number;
  /** Of this process, its descendants and the kernel's threads. */
  own: number;
  /** What the hypervisor gave to other machines. */
  stolen: number;
  /** Of all CPUs, idle or not. */
  capacity: number;
}

/** A process of /proc/PID/stat. Its ticks include those of the children that it has waited for. */
interface Process {
  pid: number;
  parent: number;
  ticks: number;
}

/** The parent of all threads of the kernel, which write back what the database wrote. */
const kernelThreads = 2;

/** Whether this system tells what other processes take. */
export const seesOthers = existsSync('/proc/stat');

/** Returns the CPU times of now; null where there is no /proc. */
export async function readCpuTimes(): Promise<CpuTimes | null> {
  const total = await readFile('/proc/stat', 'utf8').catch(() => null);
  if (total === null) return null;
  const processes = await readProcesses();
  const own = new Set([...descendantsOf(process.pid, processes), ...descendantsOf(kernelThreads, processes)]);
  const ticks = processes.filter(({ pid }) => own.has(pid)).reduce((sum, one) => sum + one.ticks, 0);
  return { ...parseStat(total), own: ticks };
}

/** Parses the first line of /proc/stat. */
export function parseStat(text: string): Omit<CpuTimes, 'own'> {
  const columns = text.split('\n', 1)[0]?.trim().split(/\s+/).slice(1, 9).map(Number) ?? [];
  const [user = 0, nice = 0, system = 0, , , , , stolen = 0] = columns;
  return { all: user + nice + system, stolen, capacity: columns.reduce((sum, ticks) => sum + ticks, 0) };
}

/** Parses /proc/PID/stat. The name in parentheses may contain anything. */
export function parseProcess(text: string): Process {
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [, parent = '0'] = fields;
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  return { pid: Number.parseInt(text, 10), parent: Number(parent), ticks };
}

async function readProcesses(): Promise<Process[]> {
  const names = await readdir('/proc').catch(() => []);
  const pids = names.filter((name) => /^\d+$/.test(name));
  // A process that ends meanwhile has no file any more.
  const texts = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')));
  return texts.filter((text) => text !== '').map(parseProcess);
}

/** @returns the process itself and all below it */
export function descendantsOf(root: number, processes: Pick<Process, 'pid' | 'parent'>[]): Set<number> {
  const found = new Set([root]);
  // Sets iterate over what is added meanwhile.
  for (const pid of found) for (const one of processes) if (one.parent === pid) found.add(one.pid);
  return found;
}

/** Each process's times are rounded to a tick, so the sums of two readings may differ by some ticks without a reason. */
const roundingTicks = 10;

/** @returns the share of all CPUs that other processes and other machines took between two readings, from 0 to 1 */
export function shareOfOthers(before: CpuTimes | null, after: CpuTimes | null): number {
  if (!before || !after || after.capacity <= before.capacity) return 0;
  const others = after.all - before.all - (after.own - before.own) + after.stolen - before.stolen - roundingTicks;
  return Math.max(0, others / (after.capacity - before.capacity));
}

/** Returns a process and all below it, from the top. */
export const treeOf = async (root: number): Promise<number[]> => [...descendantsOf(root, await readProcesses())];

/** Returns the memory of a process and all below it: their proportional set size (PSS), in bytes, in which shared pages count once. */
export async function memoryOf(root: number): Promise<number> {
  const sizes = await Promise.all(
    (await treeOf(root)).map(async (pid) => {
      const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8');
      return Number(/^Pss:\s+(\d+) kB/m.exec(text)?.[1] ?? 0) * 1024;
    }),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
