import { startFaultUpstream } from "./fault_upstream.ts";
import { faults } from "./faults.ts";
import { modelFor, postTo, startFaultyGateway } from "./faulty_gateway.ts";
import { properly } from "./injections.ts";
await using upstream = startFaultUpstream([...faults, { name: "healthy", inject: properly }]);
await using gateway = await startFaultyGateway(upstream, { withSecond: false });
const fault = faults.find(f=>f.name==="half JSON")!;
for (let i=0;i<5;i++){
const r = await postTo(gateway, "messages", { model: modelFor(fault,"responses","messages.streamed"), stream: true });
console.log(r.status, (await r.text()).slice(0,300));}
Deno.exit();
