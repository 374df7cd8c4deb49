/** Local storage that may be blocked: then the value lives as long as the page. */
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
        // The memory copy has to do.
      }
    },
  };
}
