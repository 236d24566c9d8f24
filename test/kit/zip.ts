/** Zip archives for tests: written by hand, because a test must also create broken ones. */
import { crc32, deflateRawSync } from "node:zlib";

export interface ZipOptions {
  readonly stored?: boolean;
  readonly encrypted?: boolean;
  /** The compression method to declare, regardless of the bytes. */
  readonly method?: number;
}

/** A zip archive of `files`, name to content; a name that ends in `/` is a folder. */
export function zipOf(files: Readonly<Record<string, string | Buffer>>, options: ZipOptions = {}): Buffer {
  const locals: Buffer[] = [];
  const centrals: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of Object.entries(files)) {
    const plain = Buffer.from(content);
    const data = options.stored === true ? plain : deflateRawSync(plain);
    const nameBytes = Buffer.from(name);
    const shared = Buffer.alloc(26);
    shared.writeUInt16LE(20, 0);
    shared.writeUInt16LE(options.encrypted === true ? 1 : 0, 2);
    shared.writeUInt16LE(options.method ?? (options.stored === true ? 0 : 8), 4);
    shared.writeUInt16LE(0x21, 8);
    shared.writeUInt32LE(crc32(plain), 10);
    shared.writeUInt32LE(data.length, 14);
    shared.writeUInt32LE(plain.length, 18);
    shared.writeUInt16LE(nameBytes.length, 22);
    locals.push(Buffer.from("PK\x03\x04"), shared, nameBytes, data);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    centrals.push(Buffer.from("PK\x01\x02\x14\x00"), shared, tail, nameBytes);
    offset += 30 + nameBytes.length + data.length;
  }
  const central = Buffer.concat(centrals);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", "latin1");
  end.writeUInt16LE(Object.keys(files).length, 8);
  end.writeUInt16LE(Object.keys(files).length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, central, end]);
}
