import { crc32, deflateRawSync } from 'node:zlib';

/** A ZIP archive of these files, as any tool makes it. */
export function zipOf(files: Readonly<Record<string, string | Buffer>>, method: 'stored' | 'deflated'): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of Object.entries(files)) {
    const plain = Buffer.from(content as string);
    const packed = method === 'stored' ? plain : deflateRawSync(plain);
    const facts = factsOf(plain, packed, method, name);
    const local = Buffer.concat([u32(0x04034b50), u16(20), facts, u16(0), Buffer.from(name), packed]);
    directory.push(
      Buffer.concat([
        u32(0x02014b50),
        u16(20),
        u16(20),
        facts,
        u16(0),
        u16(0),
        u16(0),
        u16(0),
        u32(0),
        u32(offset),
        Buffer.from(name),
      ]),
    );
    parts.push(local);
    offset += local.length;
  }
  const list = Buffer.concat(directory);
  const end = [
    u32(0x06054b50),
    u16(0),
    u16(0),
    u16(directory.length),
    u16(directory.length),
    u32(list.length),
    u32(offset),
    u16(0),
  ];
  return Buffer.concat([...parts, list, ...end]);
}

/** Flags, method, time, sizes and the length of the name: the same in both places. */
function factsOf(plain: Buffer, packed: Buffer, method: 'stored' | 'deflated', name: string): Buffer {
  return Buffer.concat([
    u16(0x0800),
    u16(method === 'stored' ? 0 : 8),
    u16(0),
    u16(0x5a21),
    u32(crc32(plain)),
    u32(packed.length),
    u32(plain.length),
    u16(Buffer.byteLength(name)),
  ]);
}

function u16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
