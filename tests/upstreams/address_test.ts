import { assertEquals, assertRejects } from "@std/assert";
import {
  AddressError,
  addressKind,
  type AddressRule,
  allowedAddresses,
  assertUpstreamAddress,
} from "../../lib/upstreams/address.ts";

const kinds = [
  ["8.8.8.8", undefined],
  ["172.32.0.1", undefined],
  ["100.128.0.1", undefined],
  ["2606:4700::6810:85e5", undefined],
  ["10.0.0.1", "private"],
  ["172.16.0.1", "private"],
  ["172.31.255.255", "private"],
  ["192.168.1.1", "private"],
  ["100.64.0.1", "carrier NAT"],
  ["100.127.255.255", "carrier NAT"],
  ["127.0.0.1", "loopback"],
  ["127.255.255.254", "loopback"],
  ["::1", "loopback"],
  ["[::1]", "loopback"],
  ["0:0:0:0:0:0:0:1", "loopback"],
  ["0.0.0.0", "unspecified"],
  ["0.1.2.3", "unspecified"],
  ["::", "unspecified"],
  ["169.254.1.1", "link-local"],
  ["fe80::1", "link-local"],
  ["fe80::1%eth0", "link-local"],
  ["febf::1", "link-local"],
  ["169.254.169.254", "cloud metadata"],
  ["fd00:ec2::254", "cloud metadata"],
  ["100.100.100.200", "cloud metadata"],
  ["168.63.129.16", "cloud metadata"],
  ["fc00::1", "private"],
  ["fdff::1", "private"],
  ["fec0::1", "private"],
  ["224.0.0.1", "multicast"],
  ["239.255.255.250", "multicast"],
  ["ff02::1", "multicast"],
  ["255.255.255.255", "reserved"],
  ["240.0.0.1", "reserved"],
  ["192.0.2.1", "reserved"],
  ["198.18.0.1", "reserved"],
  ["2001:db8::1", "reserved"],
  ["2001::1", "reserved"],
  ["100::1", "reserved"],
  ["4000::1", "reserved"],
  ["::10.0.0.1", "reserved"],
  ["64:ff9b:1::a00:1", "reserved"],
  ["not an address", "reserved"],
  ["", "reserved"],
  // an IPv4 address in IPv6's clothes is what it is without them
  ["::ffff:10.0.0.1", "private"],
  ["::ffff:7f00:1", "loopback"],
  ["0:0:0:0:0:ffff:a9fe:a9fe", "cloud metadata"],
  ["::ffff:0:192.168.0.1", "private"],
  ["64:ff9b::10.0.0.1", "private"],
  ["64:ff9b::7f00:1", "loopback"],
  ["2002:a00:1::", "private"],
  ["2002:7f00:1::1", "loopback"],
  ["::ffff:8.8.8.8", undefined],
  ["64:ff9b::808:808", undefined],
] as const;
for (const [address, kind] of kinds) {
  Deno.test(`addressKind of ${address || "nothing"}: ${kind ?? "public"}`, () => {
    assertEquals(addressKind(address), kind);
  });
}

const strict: AddressRule = { allowsPrivate: false, allowsLoopback: false };
const names: Readonly<Record<string, readonly string[]>> = {
  "api.acme.test": ["93.184.216.34", "2606:2800:220:1::1"],
  "rebound.test": ["93.184.216.34", "10.0.0.7"],
  "own.test": ["127.0.0.1"],
  "empty.test": [],
};
const lookup = (name: string) =>
  names[name] ? Promise.resolve(names[name]) : Promise.reject(new Error(`no ${name}`));

const refused = [
  ["http://10.1.2.3:8000/v1", "10.1.2.3: it is not a public address (private)"],
  ["http://0x7f.1/v1", "127.0.0.1: it is not a public address (loopback)"],
  ["http://2130706433/v1", "127.0.0.1: it is not a public address (loopback)"],
  ["http://017700000001/v1", "127.0.0.1: it is not a public address (loopback)"],
  ["http://①②⑦.⓪.⓪.①/v1", "127.0.0.1: it is not a public address (loopback)"],
  ["http://[::]/v1", ":: it is not a public address (unspecified)"],
  ["https://[::ffff:192.168.0.1]/v1", "::ffff:c0a8:1: it is not a public address (private)"],
  ["http://localhost:11434/v1", "localhost: it is not a public address (loopback)"],
  ["http://LOCALHOST./v1", "localhost: it is not a public address (loopback)"],
  ["http://api.localhost/v1", "api.localhost: it is not a public address (loopback)"],
  [
    "http://metadata.google.internal/v1",
    "metadata.google.internal: it is not a public address (cloud metadata)",
  ],
  ["http://169.254.169.254/latest", "169.254.169.254: it is not a public address (cloud metadata)"],
  ["https://own.test/v1", "own.test (127.0.0.1): it is not a public address (loopback)"],
  ["https://rebound.test/v1", "rebound.test (10.0.0.7): it is not a public address (private)"],
  ["https://unknown.test/v1", "Cannot resolve unknown.test: check its spelling"],
  ["https://empty.test/v1", "Cannot resolve empty.test: check its spelling"],
  ["ftp://api.acme.test/", "must begin with https:// or http://"],
  ["https://user:secret@api.acme.test/v1", "remove the user name, the password"],
  ["https://api.acme.test/v1?key=secret", "from ? or # on"],
  ["api.acme.test", "must begin with https:// or http://"],
] as const;
for (const [url, says] of refused) {
  Deno.test(`assertUpstreamAddress refuses ${url}`, async () => {
    const error = await assertRejects(
      () => assertUpstreamAddress(url, strict, lookup),
      AddressError,
    );
    assertEquals(error.message.includes(says), true, error.message);
  });
}

Deno.test("assertUpstreamAddress admits a name whose addresses are all public", async () => {
  await assertUpstreamAddress("https://api.acme.test/v1", strict, lookup);
  const url = new URL("https://api.acme.test/v1");
  assertEquals(await allowedAddresses(url, strict, lookup), names["api.acme.test"]);
});

Deno.test("assertUpstreamAddress: a server on the loopback may call the loopback, and nothing else", async () => {
  const rule = { ...strict, allowsLoopback: true };
  for (const url of ["http://localhost:11434", "http://[::1]:1", "https://own.test"]) {
    await assertUpstreamAddress(
      url,
      rule,
      (name) => name === "localhost" ? Promise.resolve(["::1"]) : lookup(name),
    );
  }
  for (const url of ["http://0.0.0.0:11434", "http://10.0.0.1", "http://169.254.169.254"]) {
    await assertRejects(() => assertUpstreamAddress(url, rule, lookup), AddressError);
  }
  // a name of this machine that comes to mean another one
  await assertRejects(
    () => assertUpstreamAddress("http://localhost", rule, () => Promise.resolve(["10.0.0.1"])),
    AddressError,
  );
});

Deno.test("assertUpstreamAddress admits everything where the configuration does", async () => {
  const rule = { allowsPrivate: true, allowsLoopback: false };
  for (const url of ["http://localhost", "http://10.0.0.1", "https://rebound.test"]) {
    await assertUpstreamAddress(
      url,
      rule,
      (name) => name === "localhost" ? Promise.resolve(["::1"]) : lookup(name),
    );
  }
});
