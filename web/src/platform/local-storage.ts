/** An item in local storage. If storage is blocked, the value lives in memory until the page is closed. */
export function localStorageItem(key: string) {
  let memory: string | null = null;
  return {
    read(): string | null {
      try {
        return localStorage.getItem(key);
      } catch {
        return memory;
      }
    },
    write(value: string | null): void {
      memory = value;
      try {
        if (value === null) localStorage.removeItem(key);
        else localStorage.setItem(key, value);
      } catch {
        // Storage is blocked or full: fall back to the copy in memory.
      }
    },
  };
}
