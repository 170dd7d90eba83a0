/** A size in a unit that suits its magnitude: `135.2 MiB`. */
export function formatBytes(sizeBytes: number): string {
  const units = ['bytes', 'KiB', 'MiB', 'GiB'];
  let size = sizeBytes;
  let unit = 0;
  while (size >= 1024 && unit < units.length - 1) {
    size /= 1024;
    unit++;
  }
  return `${unit === 0 ? size : size.toFixed(1)} ${units[unit]}`;
}
