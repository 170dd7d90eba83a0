import type { ContainerReader } from '../../src/format/container-reader.js';

/** The same file with another value at one place of a section of 32-bit numbers. */
export function withValue(container: ContainerReader, name: string, at: number, value: number): ContainerReader {
  return {
    ...container,
    uint32: (section, length) => {
      const values = container.uint32(section, length).slice();
      if (section === name) values[at] = value;
      return values;
    },
  };
}
