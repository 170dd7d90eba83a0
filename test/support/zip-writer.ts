import { crc32, deflateRawSync } from 'node:zlib';

/** How a member is packed: uncompressed, or deflated as in the agencies' archives. */
export type ZipMethod = 'stored' | 'deflated';

const METHODS: Readonly<Record<ZipMethod, number>> = { stored: 0, deflated: 8 };

/** A zip archive of these members (contents by name) in the given order. Format: PKWARE's APPNOTE. */
export function zipArchive(members: Readonly<Record<string, string | Buffer>>, method: ZipMethod = 'stored'): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of Object.entries(members)) {
    const bytes = Buffer.from(content);
    const packed = method === 'stored' ? bytes : deflateRawSync(bytes);
    const facts = memberFacts(METHODS[method], crc32(bytes), packed.length, bytes.length, name.length);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), facts, Buffer.from(name), packed]);
    const central = Buffer.alloc(46);
    central.write('PK\x01\x02', 'latin1');
    central.writeUInt16LE(20, 4);
    facts.copy(central, 6);
    central.writeUInt32LE(offset, 42);
    locals.push(local);
    directory.push(central, Buffer.from(name));
    offset += local.length;
  }
  const directoryBytes = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  const count = Object.keys(members).length;
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(directoryBytes.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, directoryBytes, end]);
}

/** The fields that a member's local header and its directory entry share; dated 1 January 1980. */
function memberFacts(method: number, crc: number, packedBytes: number, bytes: number, nameBytes: number): Buffer {
  const facts = Buffer.alloc(26);
  facts.writeUInt16LE(20, 0);
  facts.writeUInt16LE(method, 4);
  facts.writeUInt16LE(0x21, 8);
  facts.writeUInt32LE(crc, 10);
  facts.writeUInt32LE(packedBytes, 14);
  facts.writeUInt32LE(bytes, 18);
  facts.writeUInt16LE(nameBytes, 22);
  return facts;
}
